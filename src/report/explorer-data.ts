// Samples as the page's explorer reads them: each question once, each answer a short tuple; and which ones to keep when there are too many.
import type { PredictionRow } from '../core/prediction.ts';
import { rightFrom } from './flips.ts';
import type { ScoredRow } from './report-input.ts';

export type Verdict = 'right' | 'wrong' | 'invalid' | 'error' | 'skipped';

export interface ExplorerAnswer {
  /** Index in `models`. */
  readonly model: number;
  readonly repeat: number;
  readonly verdict: Verdict;
  /** Why it is invalid, failed or was left out. */
  readonly reason: string | null;
  readonly score: number | null;
  readonly prediction: string | null;
  readonly raw: string | null;
  readonly reasoning: string | null;
  readonly rule: string | null;
  readonly finish: string | null;
  readonly latencyMs: number | null;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly isFresh: boolean;
  readonly warnings: readonly string[];
  readonly choices: readonly (readonly [text: string, logprob: number])[] | null;
}

export interface ExplorerItem {
  readonly id: string;
  /** Index in `tasks`. */
  readonly task: number;
  readonly question: string;
  readonly gold: string | null;
  readonly references: readonly string[];
  readonly category: string | null;
  readonly answers: readonly ExplorerAnswer[];
}

export interface ExplorerData {
  readonly models: readonly string[];
  readonly tasks: readonly string[];
  readonly items: readonly ExplorerItem[];
  /** Answers that the run has, and those kept here. */
  readonly totalAnswers: number;
  readonly keptAnswers: number;
}

/** Longer texts are cut: the journal has them whole. */
const maxTextLength = 20_000;

function cut(text: string | null): string | null {
  return text === null || text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}\n[cut: ${text.length} characters]`;
}

export function verdictOf({ row, score }: ScoredRow): Verdict {
  const { kind } = row.outcome;
  if (kind !== 'scored') return kind;
  return score !== null && score >= rightFrom ? 'right' : 'wrong';
}

function reasonOf({ outcome }: PredictionRow): string | null {
  switch (outcome.kind) {
    case 'scored':
      return null;
    case 'invalid':
      return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
    case 'error':
      return `${outcome.class}: ${outcome.message}`;
    case 'skipped':
      return outcome.reason;
  }
}

function answerOf(scored: ScoredRow, model: number): ExplorerAnswer {
  const { row, score } = scored;
  return {
    model,
    repeat: row.repeat,
    verdict: verdictOf(scored),
    reason: reasonOf(row),
    score,
    prediction: cut(row.prediction),
    raw: cut(row.raw),
    reasoning: cut(row.reasoning),
    rule: row.extractedBy,
    finish: row.finishReason,
    latencyMs: row.timing.totalMs === null ? null : Math.round(row.timing.totalMs * 10) / 10,
    promptTokens: row.usage.promptTokens,
    outputTokens: row.usage.completionTokens,
    isFresh: row.origin === 'fresh',
    warnings: row.warnings,
    choices: row.choices?.map(({ text, logprob }) => [text, Math.round(logprob * 1e4) / 1e4] as const) ?? null,
  };
}

/** Telling items first: models differ, then invalid or failed, then wrong, then the rest; equal shares of every task. */
function keepTelling(items: readonly ExplorerItem[], maxAnswers: number): ExplorerItem[] {
  const weight = ({ answers }: ExplorerItem): number => {
    const verdicts = new Set(answers.map((answer) => answer.verdict));
    if (verdicts.has('right') && verdicts.size > 1) return 0;
    return verdicts.has('invalid') || verdicts.has('error') ? 1 : verdicts.has('wrong') ? 2 : 3;
  };
  const queues = [...Map.groupBy(items, (item) => item.task).values()].map((own) => own.toSorted((a, b) => weight(a) - weight(b)));
  const kept = new Set<ExplorerItem>();
  let room = maxAnswers;
  for (let at = 0; room > 0 && queues.some((queue) => at < queue.length); at++) {
    for (const queue of queues) {
      const item = queue[at];
      if (item === undefined || room <= 0) continue;
      kept.add(item);
      room -= item.answers.length;
    }
  }
  return items.filter((item) => kept.has(item));
}

/** All categories in order; filters name them by their place, because names come from outside. */
export function categoriesOf({ items }: Pick<ExplorerData, 'items'>): string[] {
  return [...new Set(items.flatMap(({ category }) => category ?? []))].sort();
}

/** Groups rows by question, in the order of the journal. */
export function buildExplorerData(rows: readonly ScoredRow[], maxAnswers: number): ExplorerData {
  const models = [...new Set(rows.map(({ row }) => row.model))];
  const tasks = [...new Set(rows.map(({ row }) => row.task))];
  const modelAt = new Map(models.map((key, index) => [key, index]));
  const taskAt = new Map(tasks.map((key, index) => [key, index]));
  const groups = Map.groupBy(rows, ({ row }) => `${row.task}\u0000${row.id}`);
  const items = [...groups.values()].map((group): ExplorerItem => {
    const { row } = group[0]!;
    return {
      id: row.id,
      task: taskAt.get(row.task)!,
      question: cut(row.instruction)!,
      gold: cut(row.label),
      references: row.references ?? [],
      category: row.category ?? null,
      answers: group.map((scored) => answerOf(scored, modelAt.get(scored.row.model)!)),
    };
  });
  const kept = rows.length > maxAnswers ? keepTelling(items, maxAnswers) : items;
  return { models, tasks, items: kept, totalAnswers: rows.length, keptAnswers: kept.reduce((sum, item) => sum + item.answers.length, 0) };
}
