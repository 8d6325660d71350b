// Failures of the database in words: what is wrong, where, and what to do; and which of them pass by themselves.
import { type ErrorCode, messageOf, ToolError } from '../../core/errors.ts';

const explanations: Readonly<Record<string, readonly [code: ErrorCode, what: string, hint: string]>> = {
  ECONNREFUSED: ['transport', 'nothing listens there', 'start PostgreSQL, or correct host and port'],
  ENOTFOUND: ['transport', 'the host is unknown', 'correct the host name'],
  EAI_AGAIN: ['transport', 'the host name cannot be looked up now', 'check the network'],
  ECONNRESET: ['transport', 'the connection was lost', 'check that the server runs'],
  ETIMEDOUT: ['transport', 'the server does not answer', 'check the network and the firewall'],
  '28P01': ['access', 'the password is wrong', 'set PGPASSWORD (and PGUSER) in the environment'],
  '28000': ['access', 'the server refuses this user', 'set PGUSER, or allow the user in pg_hba.conf'],
  '3D000': ['not-found', 'there is no such database', 'create it: createdb NAME'],
  '42501': ['access', 'this user may not do that', 'grant CREATE on the database to the user'],
  '53300': ['transport', 'the server has no free connection', 'raise max_connections or start fewer workers'],
  '53100': ['storage', 'the disk of the server is full', 'free some space; nothing that was confirmed is lost'],
  '25006': ['storage', 'the server is read-only (a standby?)', 'name the primary server'],
};

/** SQLSTATE classes and errno codes after which the same call may succeed: connection lost, server starting or stopping, conflicts. */
const passing =
  /^(?:08...|57P0[123]|57014|53300|40001|40P01|25P0[23]|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;
const passingText =
  /connection terminated|connection timeout|timeout exceeded|query read timeout|client has encountered a connection error|socket hang up|not queryable|connection ended/i;

function codeOf(thrown: unknown): string {
  const error = thrown as { code?: unknown; errors?: readonly unknown[] } | null;
  if (typeof error?.code === 'string') return error.code;
  const inner = error?.errors?.[0];
  return inner === undefined ? '' : codeOf(inner);
}

/** True where the connection failed rather than the statement: try again on a new one. */
export function isPassing(thrown: unknown): boolean {
  if (ToolError.isInstance(thrown)) return thrown.isRetryable;
  return passing.test(codeOf(thrown)) || passingText.test(messageOf(thrown));
}

/** @param shown - the address without credentials */
export function databaseError(shown: string, thrown: unknown): ToolError {
  if (ToolError.isInstance(thrown)) return thrown;
  const known = explanations[codeOf(thrown)];
  if (known !== undefined) {
    return new ToolError(known[0], `cannot use the database ${shown}: ${known[1]}`, { hint: known[2], isRetryable: isPassing(thrown) });
  }
  if (/does not support SSL/i.test(messageOf(thrown))) {
    return new ToolError('access', `the database ${shown} speaks no TLS`, {
      hint: 'leave sslmode out, or switch ssl on in its postgresql.conf',
    });
  }
  const isTls = /ssl|tls|certificate|self.signed/i.test(messageOf(thrown));
  if (isTls) {
    return new ToolError('access', `no trusted connection to the database ${shown}: ${messageOf(thrown)}`, {
      hint: 'sslmode=verify-full with sslrootcert=FILE trusts your own authority; sslmode=require only encrypts',
    });
  }
  const isRetryable = isPassing(thrown);
  return new ToolError(isRetryable ? 'transport' : 'storage', `the database ${shown} failed: ${messageOf(thrown)}`, { isRetryable });
}
