// Scores predictions made elsewhere: plain JSONL, LMTask prediction files, lm-evaluation-harness sample logs.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { digestOf } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import type { MetricDetails, MetricValue } from '../core/metric.ts';
import { suggestName } from '../core/names.ts';
import { invalid, scored } from '../core/outcome.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { computeMetrics } from '../metrics/compute-metrics.ts';
import { predictionRow } from '../metrics/prediction-row.ts';
import { findMetric } from '../metrics/registry.ts';
import { checkGold, isUnreadNumber } from './check-gold.ts';
import { lmEvalChoices } from './lm-eval-choices.ts';

export interface ScoreRequest {
  /** Path, or `-` for standard input. */
  readonly file: string;
  readonly metrics: readonly string[];
  readonly labels?: readonly string[] | undefined;
  /** Column by role: label, reference, prediction, id, category. */
  readonly columns: Readonly<Record<string, string>>;
  /** Which reading of a log with several (`strict-match`, `flexible-extract`). */
  readonly filter?: string | undefined;
  readonly seed: number;
}

/** Rows that no metric counts, by reason. */
export interface LeftOut {
  readonly reason: 'empty gold';
  readonly rows: number;
  /** Of the first few. */
  readonly lines: readonly number[];
}

export interface ScoredFile {
  /** Rows that were scored. */
  readonly rows: number;
  readonly leftOut: readonly LeftOut[];
  /** Scored rows without a usable prediction: none, outside the labels, or no number where one is asked for. Metrics of numbers leave them out. */
  readonly invalid: { readonly rows: number /** Of the scored rows. */; readonly rate: number };
  readonly values: readonly MetricValue[];
  readonly details: Readonly<Record<string, MetricDetails>>;
}

const roles = ['label', 'reference', 'prediction', 'id', 'category'] as const;
type Fields = Readonly<Record<string, unknown>>;

const usualColumns: Readonly<Record<(typeof roles)[number], readonly string[]>> = {
  label: ['label', 'gold', 'target', 'expected'],
  reference: ['reference', 'references', 'answers'],
  prediction: ['prediction', 'predicted', 'output', 'response'],
  id: ['id', 'doc_id'],
  category: ['category', 'subject'],
};

function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** lm-eval logs keep the answer as `filtered_resps` (a list, or lists of [logprob, greedy] for choices). */
function lmEvalPrediction(fields: Fields): string | null | undefined {
  const responses = fields['filtered_resps'] ?? fields['resps'];
  if (!Array.isArray(responses)) return undefined;
  const pairs = responses.map((response) => (Array.isArray(response) ? response : null));
  const isScored = pairs.length > 1 && pairs.every((pair) => pair !== null && Number.isFinite(Number(pair[0])) && pair.length === 2);
  if (isScored) {
    const scores = pairs.map((pair) => Number(pair![0]));
    return String(scores.indexOf(Math.max(...scores)));
  }
  const first = Array.isArray(responses[0]) ? responses[0][0] : responses[0];
  return text(first);
}

function column(fields: Fields, role: (typeof roles)[number], named: Readonly<Record<string, string>>, line: number): unknown {
  const given = named[role];
  if (given !== undefined) {
    if (!(given in fields))
      throw new ToolError('data', `line ${line}: no column "${given}" for ${role}`, { hint: suggestName(given, Object.keys(fields)) });
    return fields[given];
  }
  const found = usualColumns[role].find((name) => name in fields);
  return found === undefined ? undefined : fields[found];
}

/** The gold answer of a row: null where its column is there and blank, which nothing can be right against. */
function goldOf(fields: Fields, request: ScoreRequest, line: number): { readonly label: string; readonly references: string[] } | null {
  const reference = column(fields, 'reference', request.columns, line);
  const references = (Array.isArray(reference) ? reference : [reference]).flatMap((one) => text(one) ?? []);
  const given = column(fields, 'label', request.columns, line);
  if (given === undefined && reference === undefined)
    throw new ToolError('data', `line ${line}: no label or reference among ${Object.keys(fields).join(', ')}`, {
      hint: 'name it with --columns label=NAME',
    });
  const isGold = (one: string | null): one is string => one !== null && (one.trim() !== '' || request.labels?.includes(one) === true);
  const label = [text(given), ...references].find(isGold);
  if (label === undefined) return null;
  // A list is a set of labels (or several accepted answers).
  if (Array.isArray(given) && references.length === 0) return { label, references: given.flatMap((one) => text(one) ?? []) };
  return { label, references: references.length > 0 ? references.filter(isGold) : [label] };
}

/** null for a row with an empty gold. */
function toRow(fields: Fields, request: ScoreRequest, line: number): PredictionRow | null {
  const given = column(fields, 'prediction', request.columns, line);
  const answer = given === undefined ? lmEvalPrediction(fields) : text(given);
  if (answer === undefined) {
    throw new ToolError('data', `line ${line}: no prediction among ${Object.keys(fields).join(', ')}`, {
      hint: 'name it with --columns prediction=NAME',
    });
  }
  const gold = goldOf(fields, request, line);
  if (gold === null) return null;
  const { label, references } = gold;
  const goldList = column(fields, 'label', request.columns, line);
  checkGold({ gold: Array.isArray(goldList) ? references : [label], references, isList: Array.isArray(goldList), line }, request);
  const predictions = Array.isArray(given) ? given.flatMap((one) => text(one) ?? []) : undefined;
  const logged = given === undefined ? lmEvalChoices(fields) : null;
  // The harness's own mark of an answer that its filter could not read.
  const isUnread = given === undefined && answer === '[invalid]';
  const isOutside = request.labels !== undefined && answer !== null && predictions === undefined && !request.labels.includes(answer);
  return predictionRow({
    id: text(column(fields, 'id', request.columns, line)) ?? digestOf([line, fields as never]).slice(0, 16),
    label,
    references,
    prediction: answer,
    ...(predictions === undefined ? {} : { predictions }),
    raw: answer,
    cleaned: answer,
    ...(logged === null ? {} : { choices: logged.choices, gold: logged.gold }),
    outcome:
      answer === null || answer.trim() === ''
        ? invalid('empty')
        : isUnread || (logged === null && isUnreadNumber(answer, request.metrics))
          ? invalid('unparseable')
          : isOutside
            ? invalid('out-of-set')
            : scored,
    category: text(column(fields, 'category', request.columns, line)) ?? undefined,
  });
}

async function* readLines(file: string): AsyncGenerator<{ readonly line: number; readonly fields: Fields }> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let line = 0;
  try {
    for await (const raw of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      const content = line === 1 ? raw.replace(/^\uFEFF/, '') : raw;
      if (content.trim() === '') continue;
      let fields: unknown;
      try {
        fields = JSON.parse(content);
      } catch (cause) {
        throw new ToolError('data', `${file}:${line}: not JSON`, { cause, hint: 'expected one JSON object a line' });
      }
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
        throw new ToolError('data', `${file}:${line}: expected a JSON object`);
      yield { line, fields: fields as Fields };
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ToolError('not-found', `no such file: ${file}`);
    if (code === 'EISDIR') throw new ToolError('not-found', `${file} is a folder`, { hint: 'name the JSONL file itself' });
    throw cause;
  }
}

/** Several readings of one answer are never mixed: each would count as a repeat of the item. */
function checkFilters(filters: ReadonlySet<string>, { file, filter }: ScoreRequest): void {
  const names = [...filters].sort();
  if (filter !== undefined && !filters.has(filter))
    throw new ToolError('not-found', `${file} has no filter "${filter}"`, { hint: suggestName(filter, names) });
  if (filter === undefined && names.length > 1)
    throw new ToolError('usage', `${file} holds ${names.length} readings of each answer: ${names.join(', ')}`, {
      hint: `choose one: --filter ${names[0]}`,
    });
}

/** @throws ToolError `data` with the line, `not-found` for an unknown metric or file */
export async function scorePredictions(request: ScoreRequest): Promise<ScoredFile> {
  for (const name of request.metrics) findMetric(name);
  const rows: PredictionRow[] = [];
  const blankLines: number[] = [];
  const filters = new Set<string>();
  for await (const { line, fields } of readLines(request.file)) {
    const filter = typeof fields['filter'] === 'string' && 'resps' in fields ? fields['filter'] : undefined;
    if (filter !== undefined) filters.add(filter);
    if (request.filter !== undefined && filter !== request.filter) continue;
    const row = toRow(fields, request, line);
    if (row === null) blankLines.push(line);
    else rows.push(row);
  }
  checkFilters(filters, request);
  if (rows.length === 0)
    throw new ToolError('data', blankLines.length === 0 ? `${request.file} has no rows` : `${request.file}: empty gold in every row`);
  const { values, details } = computeMetrics(
    rows,
    request.metrics.map((name) => ({ name })),
    { labels: request.labels, seed: request.seed },
  );
  const leftOut =
    blankLines.length === 0 ? [] : [{ reason: 'empty gold', rows: blankLines.length, lines: blankLines.slice(0, 5) } as const];
  const unusable = rows.filter((row) => row.outcome.kind === 'invalid').length;
  return { rows: rows.length, leftOut, invalid: { rows: unusable, rate: unusable / rows.length }, values, details };
}
