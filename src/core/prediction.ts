// One prediction: the line of the journal and of predictions.jsonl, from which every number can be recomputed.
import { z } from 'zod';
import { finishReasons, timingSchema, usageSchema } from './generation.ts';
import { outcomeSchema } from './outcome.ts';
import { quickParser } from './quick-parse.ts';

export const choiceScoreSchema = z.strictObject({
  text: z.string(),
  /** log P(choice | context), nats. */
  logprob: z.number(),
  tokens: z.number().int(),
  greedy: z.boolean(),
  /** log P(choice | "") for mutual information, where asked for. */
  unconditionalLogprob: z.number().optional(),
});

/** The verdict of an asynchronous grader (code execution, judge, embedding), fixed at run time so that scoring stays pure. */
export const gradeSchema = z.strictObject({
  grader: z.string(),
  /** null = could not be graded (never counted as 0). */
  score: z.number().nullable(),
  verdict: z.string().optional(),
  detail: z.string().optional(),
});
export type Grade = z.infer<typeof gradeSchema>;

export const predictionOrigins = ['fresh', 'cached', 'replayed'] as const;

export const predictionRowSchema = z.strictObject({
  /** Model key and task key of the plan. */
  model: z.string(),
  task: z.string(),
  /** Content hash of the dataset row: stable under shuffling, sharding and limits. */
  id: z.string(),
  repeat: z.number().int().nonnegative(),
  /** What the model was asked, as text (last user turn or completion prompt). */
  instruction: z.string(),
  /** Gold label, choice text, or first reference. */
  label: z.string().nullable(),
  /** All accepted references of a text task; several labels of a multi-label task. */
  references: z.array(z.string()).optional(),
  /** Gold choice indices of a multiple-choice task. */
  gold: z.array(z.number().int()).optional(),
  prediction: z.string().nullable(),
  /** Index of the predicted choice. */
  predictedIndex: z.number().int().optional(),
  /** All predicted labels of a multi-label task, or entities/spans as JSON strings. */
  predictions: z.array(z.string()).optional(),
  outcome: outcomeSchema,
  /** Untouched output. */
  raw: z.string().nullable(),
  reasoning: z.string().nullable(),
  /** Output after reasoning was taken off and cleaning rules ran. */
  cleaned: z.string().nullable(),
  /** Name of the extraction rule that fired. */
  extractedBy: z.string().nullable(),
  finishReason: z.enum(finishReasons).nullable(),
  usage: usageSchema,
  timing: timingSchema,
  origin: z.enum(predictionOrigins),
  warnings: z.array(z.string()),
  /** Log-likelihood tasks only. */
  choices: z.array(choiceScoreSchema).optional(),
  /** Rolling log-likelihood: sum, and the denominators of the original text. */
  rolling: z.strictObject({ logprob: z.number(), tokens: z.number().int(), words: z.number().int(), bytes: z.number().int() }).optional(),
  grades: z.array(gradeSchema).optional(),
  category: z.string().optional(),
  /** Items with the same cluster (shared passage) are not independent. */
  cluster: z.string().optional(),
  /** Extra per-row facts a metric needs (e.g. IFEval instruction ids), as given by the task. */
  extra: z.record(z.string(), z.json()).optional(),
});
export type PredictionRow = z.infer<typeof predictionRowSchema>;
/** `predictionRowSchema.parse` for values from `JSON.parse`, quick enough for a journal of any size. */
export const parsePredictionRow: (value: unknown) => PredictionRow = quickParser(predictionRowSchema);
export type PredictedChoice = z.infer<typeof choiceScoreSchema>;
