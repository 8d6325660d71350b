// Resolves what a run will do into one plan and refuses, with every problem at once, what could not finish.
import { memberOf } from '../core/count-names.ts';
import { digestOf, sha256Hex } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import { type GenerationSettings, generationSettingsSchema } from '../core/generation.ts';
import type { PlannedModel, PlannedTask, RunPlan } from '../core/plan.ts';
import type { BackendCapabilities } from '../core/ports/backend.ts';
import type { RequestKind, RunnableTask } from '../core/task.ts';

export interface ModelToPlan extends PlannedModel {
  /** What its backend can do; null where only loading tells. */
  readonly capabilities: BackendCapabilities | null;
}

export interface TaskToPlan {
  /** Bound to exactly the rows that will be evaluated, in order. */
  readonly task: RunnableTask;
  readonly dataset: PlannedTask['dataset'];
  readonly selection: PlannedTask['selection'];
  /** Longest prompt in tokens, per model key, where a tokenizer was at hand. */
  readonly longestPromptTokens?: Readonly<Record<string, number>> | undefined;
}

export type PlanSettings = Pick<
  RunPlan,
  'seed' | 'repeats' | 'protocol' | 'deterministic' | 'cache' | 'maxErrorRate' | 'concurrency' | 'overflow' | 'profile' | 'system' | 'shard'
> & {
  /** The user's overrides over each task's own generation settings. */
  readonly generation: Partial<GenerationSettings>;
};

export interface PlanRunInput {
  readonly models: readonly ModelToPlan[];
  readonly tasks: readonly TaskToPlan[];
  readonly settings: PlanSettings;
  /** Memory of this machine; null turns the memory check off. */
  readonly ramBytes: number | null;
  /** Run in spite of a memory estimate that does not fit. */
  readonly force: boolean;
}

/**
 * @throws ToolError whose message lists every problem; its code is that of the first: `usage`, `data`, `unsupported`,
 * `memory` or `context-overflow`
 */
export function planRun(input: PlanRunInput): RunPlan {
  const problems = [...problemsOfInput(input), ...problemsOfPairs(input)];
  const first = problems[0];
  if (first !== undefined) throw problemError(first, problems);
  const { generation: _, ...settings } = input.settings;
  const plan: RunPlan = {
    schema: 'slmbench/plan/1',
    digest: '',
    models: input.models.map(({ capabilities: _capabilities, ...model }) => model),
    tasks: input.tasks.map((choice) => plannedTask(choice, input.settings)),
    ...settings,
    smoke: input.tasks.some((choice) => choice.selection === 'prefix'),
  };
  return { ...plan, digest: planDigest(plan) };
}

/**
 * Identity of a run: all of the plan but what may differ between hosts and sources that serve equal content (memory
 * estimates, notes, where the data came from; the manifests and row ids pin the data itself).
 */
export function planDigest(plan: RunPlan): string {
  return digestOf({
    ...plan,
    digest: undefined,
    models: plan.models.map((model) => ({ ...model, estimatedMemoryBytes: undefined, notes: undefined })),
    tasks: plan.tasks.map((task) => ({
      ...task,
      dataset: { ...task.dataset, source: undefined, revision: undefined, files: undefined, notes: undefined },
    })),
  });
}

/** sha256 over ordered row ids: equal manifests mean equal test sets. */
export function idManifest(ids: readonly string[]): string {
  return sha256Hex(ids.join('\n'));
}

function plannedTask({ task, dataset, selection }: TaskToPlan, settings: PlanSettings): PlannedTask {
  const sampleIds = task.rows.map((row) => row.id);
  return {
    key: task.key,
    name: task.name,
    version: task.version,
    title: task.title,
    kind: task.kind,
    type: task.type,
    protocol: task.protocol,
    groups: [...task.groups],
    digest: task.digest,
    primaryMetric: task.primaryMetric,
    metrics: task.metrics.map(({ name, options }) => (options === undefined ? { name } : { name, options: toJson(options) })),
    graders: [...task.graders],
    ...(task.labels === undefined ? {} : { labels: [...task.labels] }),
    fewShotIds: [...task.fewShotIds],
    dataset,
    sampleIds,
    manifest: idManifest(sampleIds),
    selection,
    generation: effectiveGeneration(task, settings),
  };
}

function effectiveGeneration(task: RunnableTask, settings: PlanSettings): GenerationSettings {
  return generationSettingsSchema.parse({
    seed: settings.seed,
    ...withoutUndefined(task.defaultGeneration),
    ...withoutUndefined(settings.generation),
  });
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}

type TaskOptions = NonNullable<PlannedTask['metrics'][number]['options']>;
function toJson(options: Readonly<Record<string, unknown>>): TaskOptions {
  return JSON.parse(JSON.stringify(options)) as TaskOptions;
}

interface Problem {
  readonly code: 'usage' | 'data' | 'unsupported' | 'memory' | 'context-overflow';
  readonly message: string;
  readonly hint?: string | undefined;
}

function problemsOfInput({ models, tasks, settings }: PlanRunInput): Problem[] {
  const problems: Problem[] = [];
  const usage = (message: string, hint?: string): number => problems.push({ code: 'usage', message, hint });
  if (models.length === 0) usage('no model was named', 'slmbench list models shows what -m accepts');
  if (tasks.length === 0) usage('no task was named', 'slmbench list tasks shows what -d accepts');
  for (const key of duplicates(models.map((model) => model.key))) usage(`two models are called "${key}"`, 'give one of them another name');
  for (const key of duplicates(tasks.map((choice) => choice.task.key))) usage(`task "${key}" is named twice`);
  if (!Number.isInteger(settings.repeats) || settings.repeats < 1) usage(`repeats must be a whole number from 1, not ${settings.repeats}`);
  if (!(settings.maxErrorRate >= 0 && settings.maxErrorRate <= 1)) {
    usage(`the tolerated error rate must lie between 0 and 1, not ${settings.maxErrorRate}`, 'write 0.05 for 5 %');
  }
  const { shard } = settings;
  if (shard !== null && !(shard.count >= 1 && shard.index >= 1 && shard.index <= shard.count)) {
    usage(`shard ${shard.index}/${shard.count} does not exist`, 'write --shard 1/4 to --shard 4/4');
  }
  for (const { task, dataset } of tasks) {
    if (task.rows.length === 0) {
      problems.push({ code: 'data', message: `task "${task.key}" has no samples (dataset ${dataset.name}, split ${dataset.split})` });
    }
    const repeated = duplicates(task.rows.map((row) => row.id));
    if (repeated.length > 0) {
      problems.push({
        code: 'data',
        message: `task "${task.key}" has ${repeated.length} duplicate sample ids, the first is ${repeated[0]}`,
        hint: 'add a dedupe step to the dataset',
      });
    }
  }
  return problems;
}

function problemsOfPairs({ models, tasks, settings, ramBytes, force }: PlanRunInput): Problem[] {
  const problems: Problem[] = [];
  for (const model of models) {
    const { estimatedMemoryBytes: needed, capabilities } = model;
    if (needed !== null && ramBytes !== null && needed > ramBytes && !force) {
      problems.push({
        code: 'memory',
        message: `model "${model.key}" needs about ${gibibytes(needed)}, this machine has ${gibibytes(ramBytes)}`,
        hint: 'take a smaller quantisation or context; --force runs it all the same',
      });
    }
    if (capabilities === null) continue;
    for (const { task, longestPromptTokens } of tasks) {
      const lacking = lackingCapability(task.kind, capabilities);
      if (lacking !== null) {
        problems.push({
          code: 'unsupported',
          message: `backend ${model.backend} of model "${model.key}" cannot ${lacking}, which task "${task.key}" needs`,
          hint: task.kind === 'choose' ? 'take the generated-letter variant of the task' : undefined,
        });
      }
      const longest = memberOf(longestPromptTokens, model.key);
      const context = capabilities.contextTokens;
      if (settings.overflow === 'refuse' && longest !== undefined && context !== null && longest > context) {
        problems.push({
          code: 'context-overflow',
          message: `a prompt of task "${task.key}" has ${longest} tokens, the context of model "${model.key}" holds ${context}`,
          hint: 'raise --context, use fewer shots, or let such samples count as errors',
        });
      }
    }
  }
  return problems;
}

function lackingCapability(kind: RequestKind, capabilities: BackendCapabilities): string | null {
  if (kind === 'choose') return capabilities.score ? null : 'score given continuations';
  if (kind === 'perplexity') return capabilities.rolling ? null : 'compute rolling log-likelihoods';
  return capabilities.generate ? null : 'generate text';
}

function problemError(first: Problem, problems: readonly Problem[]): ToolError {
  if (problems.length === 1) return new ToolError(first.code, first.message, { hint: first.hint });
  const hints = [...new Set(problems.map((problem) => problem.hint).filter((hint) => hint !== undefined))];
  const list = problems.map((problem) => `\n  - ${problem.message}`).join('');
  return new ToolError(first.code, `the run cannot start for ${problems.length} reasons:${list}`, {
    hint: hints.length === 0 ? undefined : hints.join('; '),
  });
}

function duplicates(values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
