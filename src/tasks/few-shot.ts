// Chooses the worked examples that a prompt shows, so that no row is ever shown its own answer.
import type { Row } from '../core/dataset.ts';
import { sha256Hex } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import type { Protocol } from '../core/task.ts';
import { PythonRandom } from './python-random.ts';
import type { FewShotRule } from './task-definition.ts';

export interface ShotPlan {
  /** Shots of the row at this position of the evaluated split. */
  readonly shotsFor: (position: number) => readonly Row[];
  /** Ids of all rows that are shown, in order of first use. */
  readonly ids: readonly string[];
  /** What the user should know about the draw. */
  readonly notes: readonly string[];
}

export interface ShotRequest {
  readonly taskName: string;
  readonly protocol: Protocol;
  readonly rule: FewShotRule;
  readonly count: number;
  readonly seed: number;
  /** The whole evaluated split, in order. */
  readonly rows: readonly Row[];
  readonly pool: readonly Row[];
  /** Part of the task that a row belongs to; '' where the task has none. */
  readonly categoryOf: (row: Row) => string;
  /** Question text for the leak check. */
  readonly questionOf: (row: Row) => string;
}

/** The seed that lm-eval gives each task's generator. */
const lmEvalSeed = 1234;

/** Plans the shots of every row. @throws ToolError `config` when the pool holds too few */
export function planShots(request: ShotRequest): ShotPlan {
  if (request.count === 0) return { shotsFor: () => [], ids: [], notes: [] };
  const samples = request.rule.samples;
  if (samples !== undefined) return literalShots(request, samples as readonly Row['fields'][]);
  return request.protocol === 'lm-eval' ? lmEvalShots(request) : nativeShots(request);
}

function literalShots(request: ShotRequest, samples: readonly Row['fields'][]): ShotPlan {
  if (samples.length < request.count) throw tooFew(request, samples.length, 'the task file lists');
  const shots = samples.slice(0, request.count).map((fields, index): Row => ({ id: `sample-${index + 1}`, fields }));
  return { shotsFor: () => shots, ids: shots.map((shot) => shot.id), notes: [] };
}

interface Part {
  readonly name: string;
  readonly positions: number[];
  readonly pool: readonly Row[];
}

/** The task's parts, each with its own pool when shots are drawn within a category. */
function partsOf({ rows, pool, rule, categoryOf }: ShotRequest): readonly Part[] {
  if (!rule.perCategory) return [{ name: '', positions: rows.map((_, index) => index), pool }];
  const parts = new Map<string, number[]>();
  rows.forEach((row, position) => {
    const name = categoryOf(row);
    const known = parts.get(name);
    if (known === undefined) parts.set(name, [position]);
    else known.push(position);
  });
  const pools = Map.groupBy(pool, categoryOf);
  return [...parts].map(([name, positions]) => ({ name, positions, pool: pools.get(name) ?? [] }));
}

/** One generator per task part, consumed row by row in dataset order (scoring.md, few-shot draw). */
function lmEvalShots(request: ShotRequest): ShotPlan {
  const drawn: (readonly Row[])[] = [];
  for (const part of partsOf(request)) {
    const random = new PythonRandom(lmEvalSeed);
    for (const position of part.positions) drawn[position] = lmEvalDraw(request, part, random, request.rows[position]!);
  }
  return planOf(drawn, []);
}

function lmEvalDraw(request: ShotRequest, part: Part, random: PythonRandom, row: Row): readonly Row[] {
  const { count, rule } = request;
  const isOther = (shot: Row): boolean => !rule.drawsOneMore || shot.id !== row.id;
  if (rule.sampler === 'first') {
    const first = part.pool.filter(isOther).slice(0, count);
    if (first.length < count) throw tooFew(request, first.length, poolName(part));
    return first;
  }
  const wanted = count + (rule.drawsOneMore ? 1 : 0);
  if (part.pool.length < wanted) throw tooFew(request, part.pool.length, poolName(part));
  const shots = random
    .sample(part.pool.length, wanted)
    .map((index) => part.pool[index]!)
    .filter(isOther)
    .slice(0, count);
  if (shots.length === count) return shots;
  const others = part.pool.filter(isOther);
  if (others.length < count) throw tooFew(request, others.length, poolName(part));
  return random.sample(others.length, count).map((index) => others[index]!);
}

function nativeShots(request: ShotRequest): ShotPlan {
  const evaluatedIds = new Set(request.rows.map((row) => row.id));
  const evaluatedTexts = new Set(request.rows.map((row) => normaliseQuestion(request.questionOf(row))));
  const drawn: (readonly Row[])[] = [];
  const notes = new Set<string>();
  for (const part of partsOf(request)) {
    const pool = part.pool.map((row) => ({ row, text: normaliseQuestion(request.questionOf(row)) }));
    const clean = pool.filter(({ row, text }) => !evaluatedIds.has(row.id) && !evaluatedTexts.has(text));
    const isClean = clean.length >= request.count;
    if (isClean && clean.length < pool.length)
      notes.add(`few-shot pool: ${pool.length - clean.length} rows left out that are also evaluated`);
    if (!isClean) notes.add('few-shot examples come from the evaluated split: each row is shown others than itself');
    const source = isClean ? clean : pool;
    const fixed = isClean && !request.rule.perDocument ? draw(request, part, source, `${request.taskName}/${part.name}`) : undefined;
    for (const position of part.positions) drawn[position] = fixed ?? drawFor(request, part, source, isClean, request.rows[position]!);
  }
  return planOf(drawn, [...notes]);
}

interface Candidate {
  readonly row: Row;
  readonly text: string;
}

function drawFor(request: ShotRequest, part: Part, source: readonly Candidate[], isClean: boolean, row: Row): readonly Row[] {
  const text = normaliseQuestion(request.questionOf(row));
  const others = isClean ? source : source.filter((candidate) => candidate.row.id !== row.id && candidate.text !== text);
  return draw(request, part, others, row.id);
}

function draw(request: ShotRequest, part: Part, source: readonly Candidate[], salt: string): readonly Row[] {
  const { count, rule, seed } = request;
  if (source.length < count) throw tooFew(request, source.length, poolName(part));
  if (rule.sampler === 'first') return source.slice(0, count).map(({ row }) => row);
  const random = new PythonRandom(wordsFrom(`${seed}:${salt}`));
  return random.sample(source.length, count).map((index) => source[index]!.row);
}

/** Four 32-bit words of a text's digest, as a generator seed. */
export function wordsFrom(text: string): readonly number[] {
  const digest = sha256Hex(text);
  return [0, 8, 16, 24].map((start) => Number.parseInt(digest.slice(start, start + 8), 16));
}

/** Letters and digits only, folded: two spellings of one question become equal. */
export function normaliseQuestion(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function planOf(drawn: readonly (readonly Row[])[], notes: readonly string[]): ShotPlan {
  const ids = new Set<string>();
  for (const shots of drawn) for (const shot of shots) ids.add(shot.id);
  return { shotsFor: (position) => drawn[position] ?? [], ids: [...ids], notes };
}

function poolName(part: Part): string {
  return part.name === '' ? 'the pool holds' : `the pool of "${part.name}" holds`;
}

function tooFew(request: ShotRequest, available: number, source: string): ToolError {
  return new ToolError(
    'config',
    `not enough examples for ${request.count}-shot prompts of "${request.taskName}": ${source} ${available} usable`,
    {
      hint: 'use fewer shots, or a dataset with a train or validation split',
    },
  );
}
