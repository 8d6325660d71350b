// One line of the sample table from a full prediction row: long texts are cut here, the sample's own page has them whole.
import type { PredictionRow } from '../../core/prediction.ts';
import { outcomeOf, type SampleColumns } from './sample-columns.ts';
import type { SampleRow } from './viewer-contract.ts';

const longestText = 280;

/** Cut between characters, never inside a surrogate pair. */
export function cutText(text: string, longest: number = longestText): string {
  if (text.length <= longest) return text;
  const end = /[\ud800-\udbff]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}…`;
}

function reasonOf({ outcome }: PredictionRow): string | null {
  if (outcome.kind === 'invalid') return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${cutText(outcome.detail)}`;
  if (outcome.kind === 'error') return `${outcome.class}: ${cutText(outcome.message)}`;
  return outcome.kind === 'skipped' ? cutText(outcome.reason) : null;
}

export function sampleRow(columns: SampleColumns, slot: number, row: PredictionRow): SampleRow {
  const score = columns.score[slot]!;
  const answer = row.prediction ?? (row.outcome.kind === 'scored' ? null : (row.cleaned ?? row.raw));
  return {
    slot,
    id: row.id,
    repeat: row.repeat,
    model: row.model,
    task: row.task,
    outcome: outcomeOf(columns, slot) ?? 'scored',
    reason: reasonOf(row),
    score: Number.isNaN(score) ? null : score,
    instruction: cutText(row.instruction),
    prediction: answer === null ? null : cutText(answer),
    label: row.label === null ? null : cutText(row.label),
    extractedBy: row.extractedBy,
    category: row.category ?? null,
    totalMs: row.timing.totalMs,
  };
}

/** Does the row hold the text, case-insensitively, in what a person reads of it? */
export function rowHolds(row: PredictionRow, lowerCaseText: string): boolean {
  const fields = [row.id, row.instruction, row.label, row.prediction, row.raw, row.reasoning, row.category, ...(row.references ?? [])];
  return fields.some((field) => typeof field === 'string' && field.toLowerCase().includes(lowerCaseText));
}
