// A small world for runner and store tests: tasks, plans, a backend that answers by rule, a clock that jumps, a writer in memory.
import { sha256Hex } from '../../src/core/digest.ts';
import { ToolError } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/core/events.ts';
import type { Generation, ScoreResult } from '../../src/core/generation.ts';
import { unknownModelFacts } from '../../src/core/model.ts';
import { invalid, scored } from '../../src/core/outcome.ts';
import type { RunPlan } from '../../src/core/plan.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { ResponseCache } from '../../src/core/ports/response-cache.ts';
import type { RunWriter } from '../../src/core/ports/run-store.ts';
import type { PredictionRow } from '../../src/core/prediction.ts';
import type { Prompt } from '../../src/core/prompt.ts';
import type { RunRecord } from '../../src/core/record.ts';
import type { PromptContext, RunnableTask } from '../../src/core/task.ts';
import { type ModelToPlan, type PlanRunInput, type PlanSettings, planRun } from '../../src/runner/plan-run.ts';
import type { ExecuteRunInput } from '../../src/runner/run-context.ts';
import type { SessionOrigin } from '../../src/runner/run-facts.ts';
import type { CreateScorer } from '../../src/runner/scoring.ts';

const gitOfNothing = { commit: null, describe: null, dirty: null, diffDigest: null };

export const origin: SessionOrigin = {
  tool: { name: 'slmbench', version: '0.0.0', git: gitOfNothing },
  project: null,
  command: 'slmbench run',
  environment: {
    os: 'test',
    kernel: 'test',
    architecture: 'x64',
    node: '24',
    python: null,
    cpuModel: null,
    physicalCores: 2,
    logicalCores: 2,
    cpuFeatures: [],
    ramBytes: null,
    gpus: [],
    cudaVisibleDevices: null,
    cudaRuntime: null,
    nvidiaDriver: null,
    virtualised: null,
    container: null,
    loadAverage: null,
    packages: {},
  },
};

export const promptContext: PromptContext = { protocol: 'native', chat: false, generation: {} };

export function generateTask(size: number, overrides: Partial<RunnableTask> = {}, idOf: (index: number) => string = rowId): RunnableTask {
  const rows = Array.from({ length: size }, (_, index) => ({
    id: idOf(index),
    fields: { question: `q${index}`, answer: `a${index % 4}` },
  }));
  return {
    key: 'echo',
    name: 'echo',
    version: '1',
    title: 'Echo',
    kind: 'generate',
    type: 'qa',
    protocol: 'native',
    groups: [],
    digest: 'd'.repeat(64),
    rows,
    fewShotIds: [],
    metrics: [{ name: 'exact_match' }],
    primaryMetric: 'exact_match',
    graders: [],
    defaultGeneration: { maxTokens: 8 },
    prepare: (row, context) => ({
      facts: { id: row.id, instruction: String(row.fields['question']), label: String(row.fields['answer']) },
      request: {
        kind: 'generate',
        request: {
          prompt: { kind: 'text', text: `Q: ${row.fields['question']}\nA:` },
          settings: { maxTokens: 8, temperature: 0, stop: [], seed: 42, thinking: 'auto', ...context.generation },
        },
      },
    }),
    read: (_sample, answer) => {
      if (answer.kind !== 'generate') throw new Error('wrong kind of answer');
      const text = answer.result.text.trim();
      return {
        prediction: text === '' ? null : text,
        outcome: text === '' ? invalid('empty') : scored,
        reasoning: null,
        cleaned: text,
        extractedBy: 'whole',
        warnings: [],
      };
    },
    ...overrides,
  };
}

export function chooseTask(size: number, overrides: Partial<RunnableTask> = {}): RunnableTask {
  return generateTask(size, {
    key: 'pick',
    name: 'pick',
    kind: 'choose',
    type: 'multiple_choice',
    prepare: (row) => ({
      facts: { id: row.id, instruction: String(row.fields['question']), label: 'a', gold: [0] },
      request: {
        kind: 'score',
        request: {
          prompt: { kind: 'text', text: String(row.fields['question']) },
          choices: [{ continuation: ' a' }, { continuation: ' b' }],
        },
      },
    }),
    read: (_sample, answer) => {
      if (answer.kind !== 'score') throw new Error('wrong kind of answer');
      const [first, second] = answer.result.choices;
      const predictedIndex = first!.logprob >= second!.logprob ? 0 : 1;
      return {
        prediction: predictedIndex === 0 ? 'a' : 'b',
        predictedIndex,
        outcome: scored,
        reasoning: null,
        cleaned: null,
        extractedBy: null,
        choices: answer.result.choices.map((choice, index) => ({ text: index === 0 ? 'a' : 'b', ...choice })),
        warnings: [],
      };
    },
    ...overrides,
  });
}

export function rowId(index: number): string {
  return sha256Hex(`row ${index}`).slice(0, 16);
}

export function modelToPlan(key = 'm', overrides: Partial<ModelToPlan> = {}): ModelToPlan {
  return {
    key,
    reference: `scripted:${key}`,
    title: key,
    backend: 'scripted',
    facts: { ...unknownModelFacts, digest: sha256Hex(key), digestKind: 'sha256', file: `${key}.json` },
    settings: {},
    estimatedMemoryBytes: null,
    notes: [],
    capabilities: null,
    ...overrides,
  };
}

export const planSettings: PlanSettings = {
  seed: 42,
  repeats: 1,
  protocol: 'native',
  deterministic: false,
  cache: 'off',
  maxErrorRate: 0,
  concurrency: null,
  overflow: 'error',
  profile: false,
  system: null,
  shard: null,
  generation: {},
};

export function planInput(
  tasks: readonly RunnableTask[],
  overrides: Partial<PlanRunInput> & { readonly set?: Partial<PlanSettings> } = {},
): PlanRunInput {
  const { set, ...rest } = overrides;
  return {
    models: [modelToPlan()],
    tasks: tasks.map((task) => ({
      task,
      selection: 'all',
      dataset: {
        name: task.name,
        split: 'test',
        source: 'memory:',
        revision: null,
        files: {},
        licence: 'MIT',
        redistributable: true,
        splitManifest: 's'.repeat(64),
        splitSize: task.rows.length,
        notes: [],
      },
    })),
    settings: { ...planSettings, ...set },
    ramBytes: null,
    force: false,
    ...rest,
  };
}

export function planOf(tasks: readonly RunnableTask[], overrides: Parameters<typeof planInput>[1] = {}): RunPlan {
  return planRun(planInput(tasks, overrides));
}

export interface FakeBackendOptions {
  readonly answer?: ((prompt: string, call: number) => string | Promise<string>) | undefined;
  readonly logprobs?: ((prompt: string) => readonly number[]) | undefined;
  readonly concurrency?: number | undefined;
  readonly processIds?: (() => readonly number[]) | undefined;
  readonly onClose?: (() => void) | undefined;
  readonly finishReason?: ((prompt: string) => Generation['finishReason']) | undefined;
}

export interface FakeBackend extends Backend {
  readonly calls: () => number;
}

/** Answers `a<n mod 4>` to question n, that is, always right. */
export function rightAnswer(prompt: string): string {
  const number = /q(\d+)/.exec(prompt)?.[1] ?? '0';
  return ` a${Number(number) % 4}`;
}

export function fakeBackend(options: FakeBackendOptions = {}): FakeBackend {
  let calls = 0;
  const { concurrency = 4 } = options;
  const textOf = (prompt: Prompt): string =>
    prompt.kind === 'text' ? prompt.text : prompt.messages.map((message) => message.content).join('\n');
  const usage = {
    promptTokens: 10,
    cachedTokens: 0,
    completionTokens: 2,
    reasoningTokens: null,
    source: 'engine' as const,
    computedTokens: 12,
  };
  const timing = { queuedMs: 0, ttftMs: 1, ttfaMs: 1, totalMs: 3, tpotMs: 2, prefillMs: 1, decodeMs: 2 };
  const unsupported = async (): Promise<never> => {
    throw new ToolError('unsupported', 'the fake backend cannot do this');
  };
  return {
    specificationVersion: 'v1',
    identity: { kind: 'scripted', name: 'fake', version: '1', build: 'b1', settings: {} },
    model: modelToPlan().facts,
    capabilities: {
      generate: true,
      stream: false,
      score: true,
      rolling: false,
      tokenize: false,
      chat: true,
      bench: false,
      adapters: false,
      jsonSchema: false,
      contextTokens: 4096,
      preferredConcurrency: { score: concurrency, generate: concurrency },
    },
    load: { loadMs: 5, warm: true },
    generate: async (request): Promise<Generation> => {
      const prompt = textOf(request.prompt);
      const text = await (options.answer ?? rightAnswer)(prompt, ++calls);
      return { text, finishReason: options.finishReason?.(prompt) ?? 'stop', usage, timing, warnings: [] };
    },
    score: async (request): Promise<ScoreResult> => {
      calls++;
      const values = options.logprobs?.(textOf(request.prompt)) ?? [-1, -2];
      return {
        choices: values.map((logprob) => ({ logprob, tokens: 1, greedy: logprob > -1.5 })),
        usage: { ...usage, completionTokens: 0 },
        timing,
        warnings: [],
      };
    },
    rolling: unsupported,
    render: async (prompt) => ({ text: textOf(prompt) }),
    bench: unsupported,
    processIds: options.processIds ?? (() => []),
    close: async () => options.onClose?.(),
    calls: () => calls,
  };
}

/** Sleeping advances the clock at once. */
export function fakeClock(): Clock & { readonly slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    nowMs: () => ++now,
    utc: () => new Date(Date.UTC(2026, 10, 30) + now).toISOString(),
    sleep: async (durationMs, signal) => {
      signal?.throwIfAborted();
      slept.push(durationMs);
      now += durationMs;
    },
  };
}

export interface MemoryWriter extends RunWriter {
  readonly journal: PredictionRow[];
  readonly artifacts: Map<string, string>;
  readonly record: () => RunRecord | null;
}

export function memoryWriter(journal: PredictionRow[] = []): MemoryWriter {
  const artifacts = new Map<string, string>();
  let record: RunRecord | null = null;
  return {
    runId: 'run-1',
    journal,
    artifacts,
    record: () => record,
    append: async (rows) => {
      journal.push(...(JSON.parse(JSON.stringify(rows)) as PredictionRow[]));
    },
    event: () => undefined,
    rows: async function* () {
      yield* journal;
    },
    writeRecord: async (value) => {
      record = value;
    },
    writeArtifact: async (name, content) => {
      let text = '';
      for await (const part of typeof content === 'string' ? [content] : content) text += part;
      artifacts.set(name, text);
    },
    readArtifact: async (name) => artifacts.get(name) ?? null,
    digestArtifact: async (name) => {
      const text = name === 'journal.jsonl' ? journal.map((row) => JSON.stringify(row)).join('\n') : artifacts.get(name);
      return text === undefined ? null : sha256Hex(text);
    },
    close: async () => undefined,
  };
}

export function memoryCache(): ResponseCache & { readonly size: () => number } {
  const kept = new Map<string, { readonly value: string; readonly explanation: unknown }>();
  return {
    size: () => kept.size,
    get: async (key) => {
      const entry = kept.get(key);
      return entry === undefined ? undefined : JSON.parse(entry.value);
    },
    set: async (key, value, explanation) => {
      kept.set(key, { value: JSON.stringify(value), explanation });
    },
    explain: async (key) => kept.get(key)?.explanation,
    close: async () => undefined,
  };
}

/** Share of rows whose prediction equals the label. */
export const createScorer: CreateScorer = () => {
  let n = 0;
  let right = 0;
  return {
    add: (row) => {
      n++;
      if (row.prediction !== null && row.prediction === row.label) right++;
    },
    finish: () => ({
      values: [
        {
          name: 'exact_match',
          average: null,
          value: n === 0 ? null : right / n,
          n,
          interval: null,
          standardError: n === 0 ? null : Math.sqrt(((right / n) * (1 - right / n)) / n),
          higherIsBetter: true,
          unit: 'fraction',
          version: '1',
        },
      ],
      details: {},
    }),
  };
};

export interface World extends ExecuteRunInput {
  readonly events: RunEvent[];
  readonly writer: MemoryWriter;
}

export function world(
  plan: RunPlan,
  tasks: readonly RunnableTask[],
  overrides: Partial<ExecuteRunInput> & { readonly writer?: MemoryWriter } = {},
): World {
  const events: RunEvent[] = [];
  return {
    plan,
    tasks,
    openModel: async () => fakeBackend(),
    promptContext: () => promptContext,
    resumed: false,
    cache: null,
    clock: fakeClock(),
    meter: null,
    graders: [],
    listener: (event) => events.push(event),
    origin,
    events,
    ...overrides,
    writer: overrides.writer ?? memoryWriter(),
  };
}
