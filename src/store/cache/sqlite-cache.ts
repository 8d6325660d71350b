// Cache of model answers in one SQLite file: shared by processes, bounded in size, least recently used answers leave first.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { ResponseCache } from '../../core/ports/response-cache.ts';

export interface SqliteCacheOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** Answers beyond this many bytes are pruned. @default 2 GiB */
  readonly maxBytes?: number | undefined;
  /** Milliseconds since the epoch; order of use only. */
  readonly now?: (() => number) | undefined;
}

export interface CacheStats {
  readonly entries: number;
  readonly bytes: number;
  readonly oldestUse: string | null;
  readonly newestUse: string | null;
}

export interface SqliteCache extends ResponseCache {
  readonly stats: () => CacheStats;
  /** Removes least recently used answers until at most `maxBytes` are left; returns the number removed. */
  readonly prune: (maxBytes: number) => number;
}

const schemaVersion = 1;
const defaultMaxBytes = 2 * 1024 ** 3;
const busyTimeoutMs = 10_000;
/** SQLITE_BUSY. */
const sqliteBusy = 5;
/** Size is checked after this many writes, so that a write stays cheap. */
const pruneEvery = 512;

const createSql = `
create table if not exists answer (
  key text primary key, value text not null, explanation text not null, bytes integer not null, used integer not null
) without rowid;
create index if not exists answer_used on answer (used);`;

/** @throws ToolError `storage` when the file is no cache of this version or cannot be opened */
export function openSqliteCache({ path, maxBytes = defaultMaxBytes, now = Date.now }: SqliteCacheOptions): SqliteCache {
  const database = openDatabase(path);
  const select = database.prepare('select value, used from answer where key = ?');
  const touch = database.prepare('update answer set used = ? where key = ?');
  const insert = database.prepare('insert or replace into answer (key, value, explanation, bytes, used) values (?, ?, ?, ?, ?)');
  const selectExplanation = database.prepare('select explanation from answer where key = ?');
  const totals = database.prepare(
    'select count(*) as entries, coalesce(sum(bytes), 0) as bytes, min(used) as oldest, max(used) as newest from answer',
  );
  const oldest = database.prepare('select key, bytes from answer order by used limit 1000');
  const remove = database.prepare('delete from answer where key = ?');
  let writes = 0;

  function prune(limit: number): number {
    let removed = 0;
    let bytes = Number(totals.get()!['bytes']);
    while (bytes > limit) {
      const batch = oldest.all();
      if (batch.length === 0) break;
      database.exec('begin immediate');
      for (const row of batch) {
        if (bytes <= limit) break;
        remove.run(String(row['key']));
        bytes -= Number(row['bytes']);
        removed++;
      }
      database.exec('commit');
    }
    return removed;
  }
  return {
    get: async (key) => {
      const row = select.get(key);
      if (row === undefined) return undefined;
      // A minute of slack keeps reads from becoming writes.
      if (now() - Number(row['used']) > 60_000) touch.run(now(), key);
      return parse(row['value']);
    },
    set: async (key, value, explanation) => {
      const text = JSON.stringify(value);
      const why = JSON.stringify(explanation ?? null);
      insert.run(key, text, why, Buffer.byteLength(text) + Buffer.byteLength(why) + key.length, now());
      if (++writes % pruneEvery === 0) prune(maxBytes);
    },
    explain: async (key) => {
      const row = selectExplanation.get(key);
      return row === undefined ? undefined : parse(row['explanation']);
    },
    stats: () => {
      const row = totals.get()!;
      const time = (value: unknown): string | null => (value === null ? null : new Date(Number(value)).toISOString());
      return {
        entries: Number(row['entries']),
        bytes: Number(row['bytes']),
        oldestUse: time(row['oldest']),
        newestUse: time(row['newest']),
      };
    },
    prune,
    close: async () => {
      if (!database.isOpen) return;
      prune(maxBytes);
      database.close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  const deadlineMs = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
      return prepareDatabase(path);
    } catch (error) {
      if (ToolError.isInstance(error)) throw error;
      // SQLite does not wait by itself while another process switches a new file to write-ahead logging.
      if (isBusy(error) && performance.now() < deadlineMs) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      throw new ToolError('storage', `cannot open response cache ${path}: ${messageOf(error)}`, {
        cause: error,
        hint: 'delete the file, or run with --cache off',
      });
    }
  }
}

function isBusy(error: unknown): boolean {
  return (error as { readonly errcode?: unknown }).errcode === sqliteBusy;
}

function prepareDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    const version = Number(database.prepare('pragma user_version').get()!['user_version']);
    if (version !== 0 && version !== schemaVersion) {
      throw new ToolError('storage', `response cache ${path} has version ${version}, this slmbench knows version ${schemaVersion}`, {
        hint: 'delete the file or name another one',
      });
    }
    database.exec(createSql);
    if (version === 0) database.exec(`pragma user_version = ${schemaVersion}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A damaged entry is a miss, never a wrong answer. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
