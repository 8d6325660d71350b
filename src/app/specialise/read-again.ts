// Reads the answers of stored rows again with the task as it is now: labels, aliases and parsers may change without a model.
import type { Row } from '../../core/dataset.ts';
import { ToolError } from '../../core/errors.ts';
import { noTiming, noUsage } from '../../core/generation.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { ModelAnswer, PreparedSample, PromptContext, RunnableTask } from '../../core/task.ts';

function answerOf(row: PredictionRow, sample: PreparedSample): ModelAnswer | null {
  const facts = { usage: row.usage ?? noUsage, timing: row.timing ?? noTiming, warnings: [] };
  if (sample.request.kind === 'generate') {
    if (row.raw === null) return null;
    // Reasoning that stands in the raw text is found there again; the rest came on a channel of its own.
    const separate = row.reasoning !== null && !row.raw.includes(row.reasoning) ? { reasoning: row.reasoning } : {};
    return { kind: 'generate', result: { text: row.raw, finishReason: row.finishReason ?? 'unknown', ...separate, ...facts } };
  }
  if (sample.request.kind !== 'score' || row.choices === undefined) return null;
  const choices = row.choices.map(({ logprob, tokens, greedy }) => ({ logprob, tokens, greedy }));
  const prior = row.choices.flatMap((choice) =>
    choice.unconditionalLogprob === undefined ? [] : [{ logprob: choice.unconditionalLogprob, tokens: choice.tokens, greedy: false }],
  );
  const unconditional = prior.length === choices.length ? { unconditional: { choices: prior, ...facts } } : {};
  return { kind: 'score', result: { choices, ...facts }, ...unconditional };
}

/** The row as the task reads it now; rows without an answer (errors) stay as they are. */
function readRow(task: RunnableTask, row: PredictionRow, data: Row, context: PromptContext): PredictionRow {
  if (row.outcome.kind === 'error' || row.outcome.kind === 'skipped') return row;
  const sample = task.prepare(data, context);
  const answer = answerOf(row, sample);
  if (answer === null) return row;
  const { warnings, ...read } = task.read(sample, answer, data);
  const { predictedIndex: _, predictions: __, ...kept } = row;
  return { ...kept, ...sample.facts, ...read, model: row.model, task: row.task, warnings: [...warnings] };
}

/** @throws ToolError `data` where a stored row is none of the given ones */
export function readAgain(
  task: RunnableTask,
  rows: readonly PredictionRow[],
  data: readonly Row[],
  context: PromptContext,
): PredictionRow[] {
  const byId = new Map(data.map((row) => [row.id, row]));
  return rows.map((row) => {
    const found = byId.get(row.id);
    if (found === undefined) throw new ToolError('data', `stored row ${row.id} is not in the test split`, { hint: 'run the test again' });
    return readRow(task, row, found, context);
  });
}
