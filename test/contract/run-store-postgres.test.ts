// The store on PostgreSQL passes the suite of run stores.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowOfError } from '../../src/runner/make-row.ts';
import { createRandom } from '../../src/stats/random.ts';
import { countChunkRows } from '../../src/store/postgres/chunk-table.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { databaseAddress } from '../../src/store/postgres/database-url.ts';
import { insertJournalRows, journalLines, rowPlaces } from '../../src/store/postgres/journal-table.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { openPostgresRunStore } from '../../src/store/postgres/postgres-run-store.ts';
import { startDatabase, type TestDatabase } from '../system/distributed-database.ts';
import { collect, describeRunStore } from './run-store-contract.ts';
import { chooseTask, generateTask, modelToPlan, planOf } from './run-store-fakes.ts';

let server: TestDatabase;
let name = '';
let count = 0;
const opened: Database[] = [];
beforeAll(async () => {
  server = await startDatabase();
});
beforeEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  name = `contract${++count}`;
  await server.createDatabase(name);
});
afterAll(async () => {
  for (const database of opened.splice(0)) await database.close();
  await server.stop();
});

describe('postgres', () => {
  describeRunStore(async () => {
    const database = openDatabase(databaseAddress(server.url(name), server.environment));
    opened.push(database);
    await migrate(database);
    return openPostgresRunStore(database);
  });

  test('a journal of many pages with gaps is read in plan order, whole and by stretches, in time that grows with its rows only', async () => {
    const database = openDatabase(databaseAddress(server.url(name), server.environment));
    opened.push(database);
    await migrate(database);
    const plan = planOf([generateTask(5000), chooseTask(700)], { models: [modelToPlan('a'), modelToPlan('b')], set: { repeats: 2 } });
    const { writer } = await openPostgresRunStore(database).open(plan, { fresh: true });
    // The run need not stay locked, and a failed test must not wait for its connection.
    await writer.close();
    const [run] = await database.query<{ number: string }>('select max(number)::text as number from slmbench.runs');
    const wanted = plan.models.flatMap((model, modelIndex) =>
      plan.tasks.flatMap((task, taskIndex) =>
        [0, 1].flatMap((repeat) =>
          // A stretch longer than a page is missing, and every third row.
          task.sampleIds.flatMap((id, position) =>
            position % 3 === 0 || (position > 1500 && position < 3800)
              ? []
              : [
                  {
                    place: { model: modelIndex, task: taskIndex, position },
                    row: rowOfError({ model: model.key, task: task.key, id, repeat }, 'backend', 'x'),
                  },
                ],
          ),
        ),
      ),
    );
    const shuffled = wanted.map(({ row }) => row);
    const random = createRandom(1, 'journal');
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = random.below(index + 1);
      [shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!];
    }
    const placeOf = rowPlaces(plan);
    for (let at = 0; at < shuffled.length; at += 500) {
      await insertJournalRows(database.query, run!.number, shuffled.slice(at, at + 500), placeOf);
    }
    const read = (lines: readonly (readonly string[])[]) => lines.flat().map((line) => JSON.parse(line) as unknown);
    expect(read(await collect(journalLines(database, run!.number)))).toEqual(wanted.map(({ row }) => row));
    const range = { model: 1, task: 0, repeats: 2, first: 1490, past: 3900 };
    const within = wanted.filter(({ place }) => place.model === 1 && place.task === 0 && place.position >= 1490 && place.position < 3900);
    expect(read(await collect(journalLines(database, run!.number, range)))).toEqual(within.map(({ row }) => row));
    expect(await countChunkRows(database, run!.number, range)).toEqual({ kept: within.length, errors: within.length });
    // No page may touch what is left of the run: that would make long runs quadratic, as long as the table has no fresh statistics.
    let mostTouched = 0;
    const measured: Database = {
      ...database,
      query: async (text, values) => {
        const { rows } = await database.raw(`explain (analyze, format json) ${text}`, values);
        const plans = JSON.stringify(rows).matchAll(/"Actual Rows":\s*([\d.]+)/g);
        if (!text.includes('group by')) mostTouched = Math.max(mostTouched, ...[...plans].map(([, touched]) => Number(touched)));
        return database.query(text, values);
      },
    };
    await collect(journalLines(measured, run!.number));
    expect(mostTouched).toBeGreaterThan(500);
    expect(mostTouched).toBeLessThanOrEqual(2000);
  });
});
