// The library's main call: the same evaluation as `slmbench run`, from typed options.
import type { RunSettings } from '../config/run-recipe.ts';
import type { EventListener } from '../core/events.ts';
import type { GenerationSettings } from '../core/generation.ts';
import type { Metric } from '../core/metric.ts';
import type { RunRecord } from '../core/record.ts';
import { evaluateRequest } from './evaluate-request.ts';
import type { TaskInCode } from './evaluation-request.ts';

export interface EvaluateOptions {
  /** Model references, as after `-m`. */
  readonly models: readonly string[];
  /** Task names, task files, data files, or tasks made with `defineTask` and their rows. */
  readonly tasks: readonly (string | TaskInCode)[];
  readonly settings?: Partial<RunSettings> | undefined;
  readonly generation?: Partial<GenerationSettings> | undefined;
  /** Metrics made with `defineMetric`, for tasks that name them. */
  readonly metrics?: readonly Metric[] | undefined;
  /** Folder that holds runs. @default './runs' */
  readonly runsFolder?: string | undefined;
  readonly name?: string | undefined;
  readonly offline?: boolean | undefined;
  readonly onEvent?: EventListener | undefined;
  /** Aborted: samples in flight finish, and the record is partial. */
  readonly signal?: AbortSignal | undefined;
}

export interface EvaluateResult {
  readonly record: RunRecord;
  /** Folder with record, journal, predictions and report. */
  readonly folder: string;
}

/**
 * Evaluates models on tasks and leaves a verifiable record.
 * @example const { record } = await evaluate({ models: ['smollm2-135m'], tasks: ['arc-easy'], settings: { samples: 50 } })
 * @throws ToolError with a code and a hint for everything that cannot run; failed samples are rows of the record instead
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  const result = await evaluateRequest(
    {
      assignments: [],
      models: options.models,
      tasks: options.tasks.filter((task) => typeof task === 'string'),
      tasksInCode: options.tasks.filter((task) => typeof task !== 'string'),
      userMetrics: options.metrics,
      settings: options.settings ?? {},
      generation: options.generation ?? {},
      adapters: [],
      dataFile: { columns: [] },
      name: options.name,
      output: options.runsFolder,
      dryRun: false,
      force: false,
      fresh: false,
      offline: options.offline === true,
      commandLine: 'evaluate() of the slmbench library',
    },
    { listener: options.onEvent, finish: options.signal },
  );
  if (result.kind !== 'record') throw new TypeError('a dry run has no record');
  return { record: result.record, folder: result.folder };
}
