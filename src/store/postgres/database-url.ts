// Where the database is: a URL without credentials from the command line, everything secret from the environment.
import { readFileSync } from 'node:fs';
import { messageOf, ToolError } from '../../core/errors.ts';

export const databaseVariable = 'SLMBENCH_DATABASE_URL';

export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** false: no TLS; otherwise what Node's TLS needs. */
  readonly tls:
    | false
    | { readonly rejectUnauthorized: boolean; readonly ca?: string | undefined; readonly skipHostname?: boolean | undefined };
  /** For people, logs and records: no user, no password, no parameters. */
  readonly shown: string;
}

const tlsModes = ['disable', 'prefer', 'allow', 'require', 'verify-ca', 'verify-full'] as const;

function complain(message: string, hint: string): ToolError {
  return new ToolError('usage', message, { hint });
}

function parse(text: string, origin: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw complain(`${origin} is not a database URL`, 'write postgres://host:5432/name');
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw complain(
      `${origin} has the scheme "${url.protocol.slice(0, -1)}"; slmbench shares runs on PostgreSQL`,
      'write postgres://host:5432/name',
    );
  }
  if (url.hostname === '') throw complain(`${origin} names no host`, 'write postgres://host:5432/name');
  return url;
}

function readAuthority(path: string | null): string | undefined {
  if (path === null || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ToolError('config', `cannot read the certificate file ${path}: ${messageOf(cause)}`, { cause });
  }
}

function tlsOf(url: URL, environment: NodeJS.ProcessEnv): DatabaseAddress['tls'] {
  const mode = url.searchParams.get('sslmode') ?? environment['PGSSLMODE'] ?? 'disable';
  if (!(tlsModes as readonly string[]).includes(mode)) throw complain(`unknown sslmode "${mode}"`, `one of ${tlsModes.join(', ')}`);
  // Without a certain answer to "is it encrypted", these two modes would promise nothing.
  if (mode === 'disable' || mode === 'prefer' || mode === 'allow') return false;
  const ca = readAuthority(url.searchParams.get('sslrootcert') ?? environment['PGSSLROOTCERT'] ?? null);
  return { rejectUnauthorized: mode !== 'require', ca, skipHostname: mode === 'verify-ca' };
}

/**
 * @param flag - value of `--database`; undefined: the environment's `SLMBENCH_DATABASE_URL`
 * @throws ToolError `usage` for a wrong URL, and for a password on the command line, where other users of the machine can read it
 */
export function databaseAddress(flag: string | undefined, environment: NodeJS.ProcessEnv = process.env): DatabaseAddress {
  const text = flag ?? environment[databaseVariable];
  if (text === undefined || text === '') {
    throw complain('no database was named', `give --database postgres://host:5432/name or set ${databaseVariable}`);
  }
  const url = parse(text, flag === undefined ? databaseVariable : '--database');
  if (flag !== undefined && (url.password !== '' || url.searchParams.has('password'))) {
    throw complain(
      'a password on the command line can be read by others and would be kept in histories',
      `set PGPASSWORD, or put the whole URL into ${databaseVariable}`,
    );
  }
  const known = new Set(['sslmode', 'sslrootcert', 'password']);
  for (const name of url.searchParams.keys()) {
    if (!known.has(name)) throw complain(`unknown parameter "${name}" in the database URL`, 'sslmode and sslrootcert are read');
  }
  const port = url.port === '' ? Number(environment['PGPORT'] ?? 5432) : Number(url.port);
  const database = decodeURIComponent(url.pathname.slice(1)) || environment['PGDATABASE'] || 'slmbench';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port,
    database,
    user: decodeURIComponent(url.username) || environment['PGUSER'] || undefined,
    password: decodeURIComponent(url.password) || url.searchParams.get('password') || environment['PGPASSWORD'] || undefined,
    tls: tlsOf(url, environment),
    shown: `postgres://${url.hostname}:${port}/${database}`,
  };
}
