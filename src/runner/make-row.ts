// Builds the journal row of a sample from what was asked, what came back and how it was read.

import type { Row } from '../core/dataset.ts';
import { messageOf } from '../core/errors.ts';
import type { Timing, Usage } from '../core/generation.ts';
import { noTiming, noUsage } from '../core/generation.ts';
import type { ErrorClass } from '../core/outcome.ts';
import { type PredictionRow, predictionRowSchema } from '../core/prediction.ts';
import type { ModelAnswer, PreparedSample, ReadAnswer, RunnableTask } from '../core/task.ts';

/** Which sample of which model a row belongs to. */
export interface SampleKey {
  readonly model: string;
  readonly task: string;
  readonly id: string;
  readonly repeat: number;
}

/** Mark of warnings that tell how an answer was obtained, not what it is; left out of the canonical form. */
export const retryWarning = 'retried: ';

export interface AnsweredSample {
  readonly key: SampleKey;
  readonly task: RunnableTask;
  readonly row: Row;
  readonly sample: PreparedSample;
  readonly answer: ModelAnswer;
  readonly origin: PredictionRow['origin'];
  readonly overcome: readonly string[];
}

export function rowOfAnswer({ key, task, row, sample, answer, origin, overcome }: AnsweredSample): PredictionRow {
  let read: ReadAnswer;
  try {
    read = task.read(sample, answer, row);
  } catch (error) {
    return rowOfError(key, 'backend', `the answer could not be read: ${messageOf(error)}`, sample);
  }
  const { warnings, ...fields } = read;
  const { result } = answer;
  const isGeneration = answer.kind === 'generate';
  return checked({
    ...sample.facts,
    ...key,
    ...fields,
    raw: isGeneration ? answer.result.text : null,
    finishReason: isGeneration ? answer.result.finishReason : null,
    usage: cleanUsage(result.usage),
    // A cached answer took no time: its old figures must not look like measurements of this run.
    timing: origin === 'fresh' ? cleanTiming(result.timing) : noTiming,
    origin,
    // What a template warns of is one fact, however often it is rendered; each retry counts.
    warnings: [
      ...new Set([...warnings, ...result.warnings.map((warning) => warning.message)]),
      ...overcome.map((message) => retryWarning + message),
    ],
  });
}

/** An error never enters a score; the row keeps what was asked. */
export function rowOfError(key: SampleKey, errorClass: ErrorClass, message: string, sample?: PreparedSample): PredictionRow {
  const row: PredictionRow = {
    ...(sample?.facts ?? { instruction: '', label: null }),
    ...key,
    prediction: null,
    outcome: { kind: 'error', class: errorClass, message },
    raw: null,
    reasoning: null,
    cleaned: null,
    extractedBy: null,
    finishReason: null,
    usage: noUsage,
    timing: noTiming,
    origin: 'fresh',
    warnings: [],
  };
  return sample === undefined ? row : checked(row);
}

/** A row that could not be read back (NaN becomes null in JSON) would spoil the journal: it becomes an error of its sample. */
function checked(row: PredictionRow): PredictionRow {
  const result = predictionRowSchema.safeParse(row);
  if (result.success) return row;
  const [issue] = result.error.issues;
  const key = { model: row.model, task: row.task, id: row.id, repeat: row.repeat };
  return rowOfError(key, 'backend', `the task made an invalid row: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Right, wrong, or null where only a metric can tell. */
export function isCorrect(row: PredictionRow): boolean | null {
  if (row.outcome.kind === 'invalid') return false;
  if (row.outcome.kind !== 'scored') return null;
  if (row.gold !== undefined && row.predictedIndex !== undefined) return row.gold.includes(row.predictedIndex);
  return row.grades?.length === 1 && row.grades[0]!.score !== null ? row.grades[0]!.score === 1 : null;
}

function cleanTiming(timing: Timing): Timing {
  const keys = ['queuedMs', 'ttftMs', 'ttfaMs', 'totalMs', 'tpotMs', 'prefillMs', 'decodeMs'] as const;
  if (keys.every((key) => timing[key] == null || Number.isFinite(timing[key]))) return timing;
  return Object.fromEntries(Object.entries(timing).map(([key, value]) => [key, Number.isFinite(value) ? value : null])) as Timing;
}

function cleanUsage(usage: Usage): Usage {
  const counts = [usage.promptTokens, usage.cachedTokens, usage.completionTokens, usage.reasoningTokens, usage.computedTokens ?? null];
  return counts.every((count) => count === null || Number.isInteger(count)) ? usage : noUsage;
}
