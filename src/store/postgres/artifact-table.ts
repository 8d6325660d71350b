// Artifacts of runs as bytes in parts; a new version becomes visible at once and replaces the old one.
import { createHash } from 'node:crypto';
import { ToolError } from '../../core/errors.ts';
import { safeFileName } from '../../core/names.ts';
import type { Database } from './database.ts';
import { journalLines } from './journal-table.ts';

const partBytes = 1 << 20;
/** Names that the store writes itself. */
const ownNames: ReadonlySet<string> = new Set(['plan.json', 'journal.jsonl', 'events.jsonl', 'record.json', 'summary.json', 'lock']);

export async function writeArtifact(database: Database, run: string, name: string, content: string | AsyncIterable<string>): Promise<void> {
  if (name !== safeFileName(name)) throw new ToolError('internal', `"${name}" is not a plain file name`);
  if (ownNames.has(name)) throw new ToolError('internal', `"${name}" is written by the run store itself`);
  const [newest] = await database.query<{ version: string }>(
    'select coalesce(max(version), 0) + 1 as version from slmbench.artifacts where run = $1 and name = $2',
    [run, name],
  );
  const draft = -Number(newest!.version);
  // A draft of a dead writer may lie there.
  await database.query('delete from slmbench.artifacts where run = $1 and name = $2 and version < 0', [run, name]);
  let part = 0;
  for await (const bytes of inParts(typeof content === 'string' ? [content] : content)) {
    await database.query(
      'insert into slmbench.artifacts (run, name, version, part, content) values ($1, $2, $3, $4, $5) on conflict (run, name, version, part) do update set content = excluded.content',
      [run, name, draft, part++, bytes],
    );
  }
  await database.transaction(async (query) => {
    await query('delete from slmbench.artifacts where run = $1 and name = $2 and version > 0', [run, name]);
    await query('update slmbench.artifacts set version = -version where run = $1 and name = $2 and version = $3', [run, name, draft]);
  });
}

async function* inParts(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  for await (const text of texts) {
    const bytes = Buffer.from(text, 'utf8');
    waiting.push(bytes);
    length += bytes.length;
    if (length < partBytes) continue;
    yield Buffer.concat(waiting);
    isFirst = false;
    waiting = [];
    length = 0;
  }
  // An empty artifact is there as well.
  if (length > 0 || isFirst) yield Buffer.concat(waiting);
}

/** Parts in order; null where there is no such artifact. */
export async function* artifactParts(database: Database, run: string, name: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await database.query<{ content: Buffer }>(
      'select content from slmbench.artifacts where run = $1 and name = $2 and version > 0 and part = $3',
      [run, name, part],
    );
    if (row === undefined) return;
    yield row.content;
  }
}

export async function artifactNames(database: Database, run: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    'select distinct name from slmbench.artifacts where run = $1 and version > 0 order by name',
    [run],
  );
  return rows.map(({ name }) => name);
}

export async function readArtifactText(database: Database, run: string, name: string): Promise<string | null> {
  const parts: Buffer[] = [];
  for await (const part of artifactParts(database, run, name)) parts.push(part);
  return parts.length === 0 ? null : Buffer.concat(parts).toString('utf8');
}

/** sha256 of an artifact, or of the plan or the journal as their files would be. */
export async function artifactDigest(database: Database, run: string, name: string): Promise<string | null> {
  const hash = createHash('sha256');
  if (name === 'journal.jsonl') {
    let isEmpty = true;
    for await (const lines of journalLines(database, run)) {
      isEmpty = false;
      hash.update(`${lines.join('\n')}\n`);
    }
    return isEmpty ? null : hash.digest('hex');
  }
  if (name === 'plan.json') {
    const [row] = await database.query<{ plan: string }>('select plan from slmbench.runs where number = $1', [run]);
    return row === undefined ? null : hash.update(row.plan).digest('hex');
  }
  let parts = 0;
  for await (const part of artifactParts(database, run, name)) {
    parts++;
    hash.update(part);
  }
  return parts === 0 ? null : hash.digest('hex');
}
