// Every verb with its one-line summary. Only the verb that was typed is loaded, so that --help costs next to nothing.
import type { Command } from 'commander';

/** Tells `main` the exit code of a verb that ended without an exception. */
export type SetExitCode = (code: number) => void;

/** A verb file adds flags, arguments and action to the command that was made for it. */
export interface VerbModule {
  readonly register: (command: Command, setExitCode: SetExitCode) => void;
}

export interface Verb {
  readonly summary: string;
  readonly load: () => Promise<VerbModule>;
}

export const verbs: Readonly<Record<string, Verb>> = {
  quickstart: {
    summary: 'pull a small model, evaluate it on the built-in suites and real data, and show the result',
    load: () => import('./verbs/quickstart.ts'),
  },
  run: { summary: 'evaluate models on tasks; prints the comparison and writes runs/<id>/', load: () => import('./verbs/run.ts') },
  compare: { summary: 'compare models on a dataset (-m A B -d NAME), or finished runs (RUN...)', load: () => import('./verbs/compare.ts') },
  recommend: {
    summary: 'choose a model under constraints from the records, and say why and what the data cannot tell',
    load: () => import('./verbs/recommend.ts'),
  },
  charts: { summary: 'write report, pictures and tables of finished runs', load: () => import('./verbs/charts.ts') },
  list: { summary: 'list models, datasets, tasks and runs', load: () => import('./verbs/list.ts') },
  pull: { summary: 'fetch models or datasets into the cache, checked by sha256', load: () => import('./verbs/pull.ts') },
  sample: { summary: 'show the exact prompt bytes, token ids, choices and gold of some samples', load: () => import('./verbs/sample.ts') },
  verify: { summary: 'recompute every number of a run from its journal; fails on any difference', load: () => import('./verbs/verify.ts') },
  record: { summary: 'print a record, or its canonical form', load: () => import('./verbs/record.ts') },
  tasks: { summary: 'work on task files', load: () => import('./verbs/tasks.ts') },
  score: {
    summary: 'score a file of predictions made elsewhere (JSONL; lm-eval and LMTask sample logs too)',
    load: () => import('./verbs/score.ts'),
  },
  extract: {
    summary: 'read answers from JSONL on standard input; prints value, rule, reason per line',
    load: () => import('./verbs/extract.ts'),
  },
  view: { summary: 'look at runs in the browser: live progress, samples, comparison, leaderboard', load: () => import('./verbs/view.ts') },
  doctor: {
    summary: 'show engine build, CPU features, cores, memory, GPU, caches and reachable sources',
    load: () => import('./verbs/doctor.ts'),
  },
  perf: {
    summary: 'how fast models answer here: latency, throughput, energy, engine speed; compare, calibrate, import',
    load: () => import('./verbs/perf.ts'),
  },
  quant: { summary: 'what quantisation costs in quality and saves in size and time', load: () => import('./verbs/quant.ts') },
  fit: { summary: 'which models fit this machine, by quantisation and context, before any download', load: () => import('./verbs/fit.ts') },
  cache: { summary: 'look at and clean the caches of files and responses', load: () => import('./verbs/cache.ts') },
  merge: { summary: 'join the shards of a run made with run --shard i/n', load: () => import('./verbs/merge.ts') },
  gate: {
    summary: 'fail a build (exit code 3) when a run is worse than its limits allow, on evidence',
    load: () => import('./verbs/gate.ts'),
  },
  benchmark: {
    summary: 'specialise a model by a recipe and prove it: train, held-out test, baselines, record, report',
    load: () => import('./verbs/benchmark.ts'),
  },
  train: { summary: 'train the adapters of a recipe', load: () => import('./verbs/train.ts') },
  test: { summary: 'run the held-out rows of a recipe', load: () => import('./verbs/test.ts') },
  task: { summary: 'show the task of a recipe, or list recipes', load: () => import('./verbs/task.ts') },
  trainer: { summary: 'show training settings and data splits of a recipe', load: () => import('./verbs/trainer.ts') },
  instruct: { summary: 'one request to the specialised task of a recipe', load: () => import('./verbs/instruct.ts') },
  stream: { summary: 'raw text to the model of a recipe, tokens as they come', load: () => import('./verbs/stream.ts') },
  serve: { summary: 'serve specialised tasks over HTTP, OpenAI-compatible route included', load: () => import('./verbs/serve.ts') },
  publish: { summary: 'copy the evidence of a benchmark to benchmarks/<task>-<model>/', load: () => import('./verbs/publish.ts') },
  index: { summary: 'write or check the results table of published benchmarks', load: () => import('./verbs/index.ts') },
  report: { summary: 'benchmark records as Markdown, CSV, XLSX, LaTeX, JSON or HTML', load: () => import('./verbs/report.ts') },
  export: { summary: 'the specialised model as merged weights, GGUF or Ollama Modelfile', load: () => import('./verbs/export.ts') },
  migrate: { summary: 'LMTask configurations to a recipe, with what cannot be carried', load: () => import('./verbs/migrate.ts') },
  config: { summary: 'show the effective recipe and where each value comes from', load: () => import('./verbs/config.ts') },
  setup: { summary: 'make the Python environment for training', load: () => import('./verbs/setup.ts') },
  submit: { summary: 'hand a run to the workers of a database (--database URL)', load: () => import('./verbs/submit.ts') },
  worker: { summary: 'work on the runs of a database', load: () => import('./verbs/worker.ts') },
  status: { summary: 'show runs and workers of a database', load: () => import('./verbs/status.ts') },
  cancel: { summary: 'end a run of a database; what is done stays', load: () => import('./verbs/cancel.ts') },
  logs: { summary: 'show what workers did for a run', load: () => import('./verbs/logs.ts') },
  watch: { summary: 'measure again what changed, by schedule, and tell when something got worse', load: () => import('./verbs/watch.ts') },
};
