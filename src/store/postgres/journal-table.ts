// The journal in the database: one row for each (run, model, task, repeat, sample), kept by a unique key, read in plan order.
import { ToolError } from '../../core/errors.ts';
import type { RunPlan } from '../../core/plan.ts';
import { type PredictionRow, parsePredictionRow } from '../../core/prediction.ts';
import type { Database } from './database.ts';

/** Where a row belongs: places in the plan's lists, and the repeat. */
export interface RowPlace {
  readonly model: number;
  readonly task: number;
  readonly repeat: number;
  readonly position: number;
}

export type PlaceOf = (row: Pick<PredictionRow, 'model' | 'task' | 'id' | 'repeat'>) => RowPlace;

/** @throws ToolError `internal` from the returned function for a row that the plan does not hold */
export function rowPlaces(plan: RunPlan): PlaceOf {
  const models = new Map(plan.models.map((model, index) => [model.key, index]));
  const tasks = new Map(
    plan.tasks.map((task, index) => [task.key, { index, positions: new Map(task.sampleIds.map((id, position) => [id, position])) }]),
  );
  return ({ model, task, id, repeat }) => {
    const known = tasks.get(task);
    const [modelIndex, position] = [models.get(model), known?.positions.get(id)];
    if (modelIndex === undefined || known === undefined || position === undefined || repeat >= plan.repeats) {
      throw new ToolError('internal', `${model}/${task}/${id}/${repeat} is not a sample of the plan`);
    }
    return { model: modelIndex, task: known.index, repeat, position };
  };
}

const insertRows = (condition: string): string => `
insert into slmbench.predictions as kept (run, model, task, repeat, position, is_error, row)
select $1::bigint, * from unnest($2::smallint[], $3::smallint[], $4::smallint[], $5::int[], $6::boolean[], $7::text[]) ${condition}
on conflict (run, model, task, repeat, position) do update set is_error = excluded.is_error, row = excluded.row where kept.is_error`;

const anyTime = insertRows('');
/** A worker that was cut off may come back when the record is written: its rows are late then. */
const beforeTheEnd = insertRows('where exists (select from slmbench.submissions where run = $1 and ended is null)');

/** Keeps each sample once: a scored row is never replaced, an error row gives way to a later try. */
export async function insertJournalRows(
  query: Database['query'],
  run: string,
  rows: readonly PredictionRow[],
  placeOf: PlaceOf,
): Promise<void> {
  if (rows.length > 0) await query(anyTime, valuesOf(run, rows, placeOf));
}

/** The same for a run that workers share, until its record is written. */
export async function insertSharedRows(
  query: Database['query'],
  run: string,
  rows: readonly PredictionRow[],
  placeOf: PlaceOf,
): Promise<void> {
  if (rows.length > 0) await query(beforeTheEnd, valuesOf(run, rows, placeOf));
}

function valuesOf(run: string, rows: readonly PredictionRow[], placeOf: PlaceOf): readonly unknown[] {
  const byPlace = new Map<string, { readonly place: RowPlace; readonly row: PredictionRow }>();
  for (const row of rows) {
    const place = placeOf(row);
    const key = `${place.model} ${place.task} ${place.repeat} ${place.position}`;
    const earlier = byPlace.get(key);
    if (earlier === undefined || earlier.row.outcome.kind === 'error') byPlace.set(key, { place, row });
  }
  // One order for all writers: two of them with the same rows must not lock each other out.
  const entries = [...byPlace.values()].sort((a, b) => comparePlaces(a.place, b.place));
  return [
    run,
    entries.map(({ place }) => place.model),
    entries.map(({ place }) => place.task),
    entries.map(({ place }) => place.repeat),
    entries.map(({ place }) => place.position),
    entries.map(({ row }) => row.outcome.kind === 'error'),
    entries.map(({ row }) => JSON.stringify(row)),
  ];
}

function comparePlaces(a: RowPlace, b: RowPlace): number {
  return a.model - b.model || a.task - b.task || a.repeat - b.repeat || a.position - b.position;
}

/** Part of a journal: one task of one model, samples from `first` to before `past` in each repeat. */
export interface JournalRange {
  readonly model: number;
  readonly task: number;
  readonly repeats: number;
  readonly first: number;
  readonly past: number;
}

const pageRows = 2000;
/** Rows of one model, task and repeat: samples from `first` to before `past`. */
type Series = Omit<RowPlace, 'position'> & { readonly first: number; readonly past: number };

function listSeries(database: Database, run: string): Promise<readonly Series[]> {
  return database.query<Series>(
    `select model, task, repeat, min(position) as first, max(position) + 1 as past from slmbench.predictions
     where run = $1 group by model, task, repeat order by model, task, repeat`,
    [run],
  );
}

/**
 * Lines in plan order, page by page: memory stays flat and no snapshot is held open. Pages are stretches of positions, not `limit`:
 * a table without fresh statistics then costs no more than one with them, where a planner would sort all that is left for each page.
 */
export async function* journalLines(database: Database, run: string, range?: JournalRange): AsyncGenerator<readonly string[]> {
  const series =
    range === undefined
      ? await listSeries(database, run)
      : Array.from({ length: range.repeats }, (_, repeat): Series => ({ ...range, repeat }));
  for (const { model, task, repeat, first, past } of series) {
    for (let from = first; from < past; from += pageRows) {
      const page = await database.query<{ readonly row: string }>(
        `select row from slmbench.predictions
         where run = $1 and model = $2 and task = $3 and repeat = $4 and position >= $5 and position < $6 order by position`,
        [run, model, task, repeat, from, Math.min(from + pageRows, past)],
      );
      if (page.length > 0) yield page.map(({ row }) => row);
    }
  }
}

export async function* journalRows(database: Database, run: string, range?: JournalRange): AsyncGenerator<PredictionRow> {
  for await (const lines of journalLines(database, run, range)) {
    for (const line of lines) yield parsePredictionRow(JSON.parse(line));
  }
}
