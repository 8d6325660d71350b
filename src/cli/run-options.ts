// Flags that every evaluating verb shares, and the recipe they make together with a recipe file: flags win over the file.
import type { Command } from 'commander';
import type { EvaluationRequest } from '../app/evaluation-request.ts';
import { decimal, integer, list, repeated, unescapeStop } from './option-values.ts';

export interface RunFlags {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly models?: readonly string[];
  readonly datasets?: readonly string[];
  readonly task?: readonly string[];
  readonly maxSamples?: number;
  readonly limit?: number;
  readonly output?: string;
  readonly report?: boolean;
  readonly reportDir?: string;
  readonly profile?: boolean;
  readonly profileInterval?: number;
  readonly quiet?: boolean;
  readonly progress?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly stop?: readonly string[];
  readonly system?: string;
  readonly thinking?: 'on' | 'off' | 'auto';
  readonly seed?: number;
  readonly repeats?: number;
  readonly shots?: number;
  readonly chat?: boolean;
  readonly threads?: number;
  readonly gpuLayers?: number;
  readonly context?: number;
  readonly concurrency?: number;
  readonly maxErrorRate?: number;
  readonly overflow?: 'error' | 'refuse';
  readonly cache?: 'off' | 'read' | 'refresh';
  readonly deterministic?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly fresh?: boolean;
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly protocol?: 'lm-eval' | 'native';
  readonly adapter?: readonly string[];
  readonly taskType?: string;
  readonly column?: readonly string[];
  readonly split?: string;
  readonly labels?: readonly string[];
  readonly prompt?: string;
  readonly metric?: readonly string[];
  readonly judge?: readonly string[];
  readonly name?: string;
  readonly database?: string;
  readonly shard?: { readonly index: number; readonly count: number };
}

/** Adds the shared flags; the tutorial's long names are among them. */
export function addRunOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'recipe file; flags win over it')
    .option('--set <path=value>', 'override one value of the recipe (repeatable)', repeated)
    .option(
      '-m, --models <ref...>',
      'models: registry name, ./file.gguf, hf:owner/repo:QUANT, ollama:tag, openai:model@url (commas and repetition)',
      list,
    )
    .option('-d, --datasets <name...>', 'tasks or data files (alias -t, --task)', list)
    .option('-t, --task <name...>', 'the same as --datasets', list)
    .option('--limit <n>', 'the first N items of each task: a smoke run, marked as such', integer(1))
    .option('--max-tokens <n>', 'new tokens per answer (256)', integer(1))
    .option('--temperature <x>', '0 is greedy (0)', decimal(0, 100))
    .option('--top-p <x>', 'nucleus sampling', decimal(0.000001, 1))
    .option('--top-k <n>', 'sample from the k most likely tokens', integer(1))
    .option('--min-p <x>', 'drop tokens below this share of the most likely one', decimal(0, 1))
    .option('--stop <text>', 'stop string, \\n for a line end (repeatable)', (text: string, previous: readonly string[] | undefined) =>
      repeated(unescapeStop(text), previous),
    )
    .option('--system <text>', 'system prompt')
    .option('--thinking <mode>', 'on, off or auto (the model’s default)')
    .option('--seed <n>', 'seed of samples, shots and sampling (42)', integer(0))
    .option('--repeats <n>', 'answers per item (1)', integer(1))
    .option('--shots <n>', 'few-shot examples, instead of the task’s own number', integer(0))
    .option('--chat', 'use the chat template for every request')
    .option('--no-chat', 'never use the chat template')
    .option('--threads <n>', 'engine threads (physical cores)', integer(1, 512))
    .option('--gpu-layers <n>', 'layers on the GPU', integer(0))
    .option('--context <n>', 'context size in tokens', integer(16))
    .option('--concurrency <n>', 'requests in flight', integer(1))
    .option('--max-error-rate <x>', 'share of failed requests above which the run fails (0)', decimal(0, 1))
    .option('--overflow <policy>', 'prompt longer than the context: error (that sample) or refuse (the run)')
    .option('--cache <mode>', 'response cache: off, read or refresh (off)')
    .option('--deterministic', 'fixed batching: results do not depend on concurrency')
    .option('--dry-run', 'show the plan with memory and time estimates; run nothing')
    .option('--force', 'run although the estimate says it does not fit')
    .option('--fresh', 'start a new run even if an equal one is unfinished')
    .option('--offline', 'make no connection at all')
    .option('--json', 'print the record as JSON')
    .option('--protocol <name>', 'native or lm-eval')
    .option('--adapter <path[=scale]>', 'LoRA adapter (GGUF file or PEFT folder) for every model (repeatable)', repeated)
    .option('--task-type <type>', 'type of a data file: multiple_choice, classification, qa, summarization, text_generation')
    .option('--column <role=name>', 'column of a data file, e.g. --column question=q --column answer=a (repeatable)', repeated)
    .option('--split <name>', 'split of a data file or dataset')
    .option('--labels <label...>', 'labels of a classification data file', list)
    .option('--prompt <template>', 'Jinja prompt template of a data file, e.g. "{{question}} Answer:"')
    .option('--judge <model...>', 'models that grade answers, for tasks with a judge', list)
    .option('--metric <name...>', 'metrics of a data file (default: by task type)', list)
    .option('--name <text>', 'name of the run')
    .option('--no-profile', 'do not sample memory and CPU')
    .option('--profile-interval <ms>', 'sampling interval (100)', integer(10))
    .option('-o, --output <path>', 'x.json: write the record there; otherwise the folder that holds the run')
    .option('--report', 'write the reports into --report-dir as well')
    .option('--report-dir <dir>', 'folder of reports', 'reports')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress, only results');
}

/** What the use case needs, from flags alone; the use case merges it over the recipe file. */
export function toEvaluationRequest(flags: RunFlags, commandLine: string): EvaluationRequest {
  return {
    configFile: flags.config,
    assignments: flags.set ?? [],
    models: flags.models,
    tasks: flags.datasets === undefined && flags.task === undefined ? undefined : [...(flags.datasets ?? []), ...(flags.task ?? [])],
    settings: {
      samples: flags.maxSamples,
      limit: flags.limit,
      seed: flags.seed,
      repeats: flags.repeats,
      protocol: flags.protocol,
      shots: flags.shots,
      chat: flags.chat,
      system: flags.system,
      threads: flags.threads,
      gpuLayers: flags.gpuLayers,
      context: flags.context,
      concurrency: flags.concurrency,
      maxErrorRate: flags.maxErrorRate,
      cache: flags.cache,
      deterministic: flags.deterministic,
      profile: flags.profile === false ? false : undefined,
      profileIntervalMs: flags.profileInterval,
      overflow: flags.overflow,
    },
    generation: {
      maxTokens: flags.maxTokens,
      temperature: flags.temperature,
      topP: flags.topP,
      topK: flags.topK,
      minP: flags.minP,
      stop: flags.stop === undefined ? undefined : [...flags.stop],
      seed: flags.seed,
      thinking: flags.thinking,
    },
    adapters: flags.adapter ?? [],
    judges: flags.judge,
    dataFile: {
      taskType: flags.taskType,
      columns: flags.column ?? [],
      split: flags.split,
      labels: flags.labels,
      prompt: flags.prompt,
      metrics: flags.metric,
    },
    name: flags.name,
    shard: flags.shard,
    output: flags.output,
    reportFolder: flags.report === true ? (flags.reportDir ?? 'reports') : undefined,
    dryRun: flags.dryRun === true,
    force: flags.force === true,
    fresh: flags.fresh === true,
    offline: flags.offline === true,
    commandLine,
  };
}

/** The command line as a user would type it again, for the record. */
export function shownCommandLine(args: readonly string[]): string {
  const quote = (text: string) => (/^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
  return ['slmbench', ...args].map(quote).join(' ');
}
