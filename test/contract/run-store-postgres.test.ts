// The store on PostgreSQL passes the suite of run stores.
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { databaseAddress } from '../../src/store/postgres/database-url.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { openPostgresRunStore } from '../../src/store/postgres/postgres-run-store.ts';
import { startDatabase, type TestDatabase } from '../system/distributed-database.ts';
import { describeRunStore } from './run-store-contract.ts';

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
});
