// What a caller asks of an evaluation and what comes back; the same for CLI, library and viewer.
import type { RunSettings } from '../config/run-recipe.ts';
import type { EventListener } from '../core/events.ts';
import type { GenerationSettings } from '../core/generation.ts';
import type { JsonObject } from '../core/json.ts';
import type { Metric } from '../core/metric.ts';
import type { RunPlan } from '../core/plan.ts';
import type { RunRecord } from '../core/record.ts';
import type { TaskDefinition } from '../tasks/task-definition.ts';

export interface DataFileRequest {
  readonly taskType?: string | undefined;
  /** `role=name` pairs. */
  readonly columns: readonly string[];
  readonly split?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Jinja template of the whole prompt. */
  readonly prompt?: string | undefined;
  readonly metrics?: readonly string[] | undefined;
}

/** A task made in code, with its rows. */
export interface TaskInCode {
  readonly definition: TaskDefinition;
  /** Plain objects; undefined: the definition's own dataset is loaded. */
  readonly rows?: readonly JsonObject[] | undefined;
  /** Rows that shots are drawn from. */
  readonly fewShotRows?: readonly JsonObject[] | undefined;
}

export interface EvaluationRequest {
  readonly configFile?: string | undefined;
  readonly assignments: readonly string[];
  /** undefined: those of the recipe, or all available. */
  readonly models?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** Tasks made in code (library use), after the named ones. */
  readonly tasksInCode?: readonly TaskInCode[] | undefined;
  readonly userMetrics?: readonly Metric[] | undefined;
  /** Models that grade answers of judged tasks; they replace those of recipe and task. */
  readonly judges?: readonly string[] | undefined;
  /** Given values win over the recipe. */
  readonly settings: Partial<RunSettings>;
  readonly generation: Partial<GenerationSettings>;
  /** `PATH` or `PATH=SCALE`, for every model. */
  readonly adapters: readonly string[];
  readonly dataFile: DataFileRequest;
  readonly name?: string | undefined;
  /** `x.json`, or the folder that holds runs. */
  readonly output?: string | undefined;
  readonly reportFolder?: string | undefined;
  /** `--shard i/n`, i from 1: every n-th sample from the i-th. @default all samples */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly fresh: boolean;
  readonly offline: boolean;
  readonly commandLine: string;
}

export interface EvaluationHooks {
  readonly listener?: EventListener | undefined;
  /** Aborted: finish what is in flight and write a partial record. */
  readonly finish?: AbortSignal | undefined;
  /** Aborted: stop at once. */
  readonly stop?: AbortSignal | undefined;
}

export type EvaluationResult =
  | { readonly kind: 'plan'; readonly plan: RunPlan; readonly text: string; readonly exitCode: 0 }
  | {
      readonly kind: 'record';
      readonly record: RunRecord;
      readonly folder: string;
      readonly files: readonly { readonly what: string; readonly path: string }[];
      /** 0 complete, 1 failed, 130 interrupted. */
      readonly exitCode: number;
    };
