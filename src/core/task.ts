// The task contract: row -> request -> output -> prediction. Serves evaluation, training, benchmark and library users alike.
import type { Row } from './dataset.ts';
import type {
  GenerateRequest,
  Generation,
  GenerationSettings,
  RollingRequest,
  RollingResult,
  ScoreRequest,
  ScoreResult,
} from './generation.ts';
import type { PredictionRow } from './prediction.ts';

/**
 * `choose`: log-likelihood of given choices. `choose-letter`: the letter is generated and read.
 * `generate`: free text, parsed by the task's extractor. `perplexity`: rolling log-likelihood.
 */
export type RequestKind = 'choose' | 'choose-letter' | 'generate' | 'perplexity';

export const taskTypes = [
  'multiple_choice',
  'text_generation',
  'classification',
  'qa',
  'summarization',
  'language_modelling',
  'code',
  'extraction',
] as const;
export type TaskType = (typeof taskTypes)[number];

export type Protocol = 'native' | 'lm-eval';

/** How prompts are written for one model and run. */
export interface PromptContext {
  readonly protocol: Protocol;
  /** True: chat messages; false: one completion text. */
  readonly chat: boolean;
  readonly system?: string | undefined;
  /** User overrides on the command line, applied over the task's own settings. */
  readonly generation: Partial<GenerationSettings>;
}

export type ModelRequest =
  | { readonly kind: 'score'; readonly request: ScoreRequest; readonly unconditional?: ScoreRequest | undefined }
  | { readonly kind: 'generate'; readonly request: GenerateRequest }
  | { readonly kind: 'rolling'; readonly request: RollingRequest };

/** The part of a prediction row that is known before the model answers. */
export type SampleFacts = Pick<PredictionRow, 'id' | 'instruction' | 'label' | 'references' | 'gold' | 'category' | 'cluster' | 'extra'>;

export interface PreparedSample {
  readonly facts: SampleFacts;
  readonly request: ModelRequest;
}

/** The part of a prediction row that reading the answer yields. Pure; never throws on model output. */
export type ReadAnswer = Pick<
  PredictionRow,
  'prediction' | 'predictedIndex' | 'predictions' | 'outcome' | 'reasoning' | 'cleaned' | 'extractedBy' | 'choices' | 'rolling'
> & {
  readonly warnings: readonly string[];
};

export type ModelAnswer =
  | { readonly kind: 'score'; readonly result: ScoreResult; readonly unconditional?: ScoreResult | undefined }
  | { readonly kind: 'generate'; readonly result: Generation }
  | { readonly kind: 'rolling'; readonly result: RollingResult };

export interface MetricUse {
  readonly name: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** A task bound to its data, ready to be planned and run. Made by the tasks room; consumed by the runner. */
export interface RunnableTask {
  /** Key in plan and record: `arc-easy`, `mmlu:anatomy`, `arc-easy@lm-eval`. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly kind: RequestKind;
  readonly type: TaskType;
  readonly protocol: Protocol;
  readonly groups: readonly string[];
  /** sha256 of everything that shapes prompts and reading: definition, few-shot ids, protocol. */
  readonly digest: string;
  readonly rows: readonly Row[];
  readonly fewShotIds: readonly string[];
  readonly metrics: readonly MetricUse[];
  /** The metric that the comparison table shows. */
  readonly primaryMetric: string;
  /** Names of asynchronous graders that must run per sample. */
  readonly graders: readonly string[];
  /** Declared labels of a classification task, in order. */
  readonly labels?: readonly string[] | undefined;
  readonly defaultGeneration: Partial<GenerationSettings>;
  readonly prepare: (row: Row, context: PromptContext) => PreparedSample;
  readonly read: (sample: PreparedSample, answer: ModelAnswer, row: Row) => ReadAnswer;
}
