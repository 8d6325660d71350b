// A pool of connections that survives restarts of the server: statements that are safe to repeat are repeated until it is back.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ToolError } from '../../core/errors.ts';
import { databaseError, isPassing } from './database-error.ts';
import { type DatabaseAddress, databaseVariable } from './database-url.ts';

export interface DatabaseOptions {
  /** Connections at most. @default 6 */
  readonly connections?: number | undefined;
  /** How long a lost connection is waited for, ms. @default 0: not at all */
  readonly patienceMs?: number | undefined;
  /** Told once per outage and once when it is over. */
  readonly onOutage?: ((message: string | null) => void) | undefined;
  /** No statement may take longer, ms: a silent network must not hang a worker. @default 60000 */
  readonly statementTimeoutMs?: number | undefined;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  readonly shown: string;
  /** Runs one statement; repeated on a lost connection, so it must be safe to repeat. */
  readonly query: <T = Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;
  /** As `query`, with the driver's own result (a list of them for several statements). */
  readonly raw: (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>;
  /** Runs statements in one transaction, repeated as a whole on a lost connection. */
  readonly transaction: <T>(work: (query: Database['query']) => Promise<T>) => Promise<T>;
  /** A connection of its own, for session locks. */
  readonly session: () => Promise<pg.PoolClient>;
  readonly close: () => Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 2000;

/** Asked for only where the server wants one. */
function missingPassword({ shown }: DatabaseAddress): never {
  throw new ToolError('access', `the database ${shown} asks for a password and none is set`, {
    hint: `set PGPASSWORD in the environment, or put the whole URL into ${databaseVariable}`,
  });
}

type Connect = (callback: (error: Error | null, client: pg.Client) => void) => void;

/** A connection that was refused leaves no socket behind: the driver's own would keep the process alive. */
class TidyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const connect = this.connect.bind(this) as Connect;
    const tidy: Connect = (callback) =>
      connect((error, client) => {
        const { connection } = this as unknown as { readonly connection: { readonly stream: { readonly destroy: () => void } } };
        if (error !== null && error !== undefined) connection.stream.destroy();
        callback(error, client);
      });
    Object.assign(this, { connect: tidy });
  }
}

export function connectionConfig(address: DatabaseAddress, options: DatabaseOptions = {}): pg.PoolConfig {
  const { host, port, database, user, password, tls } = address;
  const timeoutMs = options.statementTimeoutMs ?? 60_000;
  return {
    host,
    port,
    database,
    user,
    password: password ?? (() => missingPassword(address)),
    ssl:
      tls === false
        ? false
        : {
            rejectUnauthorized: tls.rejectUnauthorized,
            ca: tls.ca,
            ...(tls.skipHostname === true ? { checkServerIdentity: () => undefined } : {}),
          },
    max: options.connections ?? 6,
    application_name: 'slmbench',
    connectionTimeoutMillis: 10_000,
    query_timeout: timeoutMs,
    keepAlive: true,
  };
}

export function openDatabase(address: DatabaseAddress, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({ ...connectionConfig(address, options), Client: TidyClient });
  // A connection that breaks while it is idle says nothing that the next statement will not say.
  pool.on('error', () => undefined);
  let isOut = false;

  async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + (options.patienceMs ?? 0);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        const result = await attempt();
        if (isOut) options.onOutage?.(null);
        isOut = false;
        return result;
      } catch (error) {
        const explained = databaseError(address.shown, error);
        if (!isPassing(error) || performance.now() + pauseMs > giveUpAt) throw explained;
        if (!isOut) options.onOutage?.(explained.message);
        isOut = true;
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
  async function once<T>(work: (query: Database['query']) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = true;
    // An error event on a client in use would otherwise end the process.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    try {
      await client.query('begin');
      const result = await work(
        async <R>(text: string, values?: readonly unknown[]) => (await client.query(text, values as unknown[])).rows as R[],
      );
      await client.query('commit');
      broken = false;
      return result;
    } catch (error) {
      await client.query('rollback').then(
        () => {
          broken = false;
        },
        () => undefined,
      );
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }
  return {
    shown: address.shown,
    query: async <T>(text: string, values: readonly unknown[] = []) =>
      patiently(async () => (await pool.query(text, values as unknown[])).rows as T[]),
    raw: async (text, values = []) => patiently(async () => pool.query(text, values as unknown[])),
    transaction: async (work) => patiently(async () => once(work)),
    session: async () => patiently(async () => pool.connect()),
    close: async () => {
      await pool.end();
    },
  };
}
