// Cost of predictions in the database at 10,000, 100,000 and 1,000,000 rows: insert rate, time of the record, memory.
// `node --expose-gc bench/distributed/journal-growth.ts [sizes]`
import { finishRun } from '../../src/runner/finish-run.ts';
import { rowOfError } from '../../src/runner/make-row.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { databaseAddress } from '../../src/store/postgres/database-url.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { openPostgresRunStore } from '../../src/store/postgres/postgres-run-store.ts';
import { createScorer, generateTask, origin, planOf } from '../../test/contract/run-store-fakes.ts';
import { startDatabase } from '../../test/system/distributed-database.ts';

const sizes = (process.argv[2] ?? '10000,100000,1000000').split(',').map(Number);
const batch = 500;
const server = await startDatabase();
await server.createDatabase('growth');
const database = openDatabase(databaseAddress(server.url('growth'), server.environment), { statementTimeoutMs: 600_000 });
await migrate(database);
for (const size of sizes) {
  const plan = planOf([generateTask(size)]);
  const { writer } = await openPostgresRunStore(database).open(plan, { fresh: true });
  const ids = plan.tasks[0]!.sampleIds;
  const startMs = performance.now();
  for (let at = 0; at < ids.length; at += batch) {
    const rows = ids.slice(at, at + batch).map((id) => ({
      ...rowOfError({ model: 'm', task: 'echo', id, repeat: 0 }, 'timeout', 'none'),
      outcome: { kind: 'scored' as const },
      prediction: 'a1',
      label: 'a1',
      raw: 'a1 '.repeat(40),
    }));
    await writer.append(rows);
  }
  const insertedMs = performance.now() - startMs;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const finishStart = performance.now();
  const now = new Date().toISOString();
  const session = {
    ...origin,
    startedAt: now,
    finishedAt: now,
    durationMs: 0,
    interrupted: false,
    modelRuns: [],
    tasks: [],
    warmups: [],
    notes: [],
  };
  await finishRun({ plan, writer, facts: { schema: 'slmbench/run-facts/1', runId: writer.runId, sessions: [session] }, createScorer });
  const recordMs = performance.now() - finishStart;
  await writer.close();
  process.stdout.write(
    `${JSON.stringify({ rows: size, rowsPerSecond: Math.round((size / insertedMs) * 1000), recordSeconds: recordMs / 1000, recordMicrosecondsPerRow: (recordMs * 1000) / size, growthMiB: Math.round((process.memoryUsage().rss - before) / 2 ** 20) })}\n`,
  );
}
await database.close();
await server.stop();
process.exit(0);
