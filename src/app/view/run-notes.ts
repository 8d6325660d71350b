// The reader's own name and tags of a run, in a small file beside the record: records are evidence and are never changed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../sources/write-file-atomic.ts';

export const notesFile = 'viewer.json';
const longestName = 200;
const longestTag = 40;
const mostTags = 20;

export interface RunNotes {
  readonly name: string | null;
  readonly tags: readonly string[];
}
export const noNotes: RunNotes = { name: null, tags: [] };

/** Control characters never reach a file or a page; runs of white space become one space. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function checkName(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw new ToolError('usage', 'a name is text');
  const name = plain(value);
  if (name.length > longestName) throw new ToolError('usage', `the name has ${name.length} characters; at most ${longestName}`);
  return name === '' ? null : name;
}

export function checkTags(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((tag) => typeof tag === 'string')) throw new ToolError('usage', 'tags are a list of texts');
  const tags = [...new Set(value.map(plain).filter((tag) => tag !== ''))].sort();
  const long = tags.find((tag) => tag.length > longestTag);
  if (long !== undefined) throw new ToolError('usage', `the tag "${long.slice(0, 20)}…" has more than ${longestTag} characters`);
  if (tags.length > mostTags) throw new ToolError('usage', `${tags.length} tags; at most ${mostTags}`);
  return tags;
}

/** A missing or damaged file is no notes: a run must stay visible whatever stands beside it. */
export async function readRunNotes(folder: string): Promise<RunNotes> {
  try {
    const value = JSON.parse(await readFile(join(folder, notesFile), 'utf8')) as { name?: unknown; tags?: unknown };
    return { name: checkName(value.name ?? null), tags: checkTags(value.tags ?? []) };
  } catch {
    return noNotes;
  }
}

export async function writeRunNotes(folder: string, notes: RunNotes): Promise<void> {
  await writeFileAtomic(join(folder, notesFile), `${JSON.stringify({ schema: 'slmbench/viewer-notes/1', ...notes })}\n`);
}
