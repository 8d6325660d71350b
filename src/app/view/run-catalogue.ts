// All runs of a folder, kept up to date by file times: what did not change is not read again, and nothing but files is the truth.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSummary } from '../../core/ports/run-store.ts';
import { nameOfRun } from '../../report/viewer/name-run.ts';
import type { LeaderboardEntry, RunRow } from '../../report/viewer/viewer-contract.ts';
import { runFiles } from '../../store/files/run-folder.ts';
import { readSummary } from '../../store/files/run-summary.ts';
import { digestRecord, type RecordDigest } from './digest-record.ts';
import { noNotes, notesFile, type RunNotes, readRunNotes } from './run-notes.ts';
import { runStateOf } from './run-state.ts';

interface Entry {
  readonly id: string;
  readonly folder: string;
  stamp: string;
  summary: RunSummary | null;
  notes: RunNotes;
  recordStamp: string;
  digest: RecordDigest | null;
}

/** Looks at the folder at most this often; a page asks for several things at once. */
const freshForMs = 300;
const readersAtOnce = 64;

function stampOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? '' : `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
}

export class RunCatalogue {
  readonly folder: string;
  readonly #entries = new Map<string, Entry>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Reads again what changed on disk. */
  async refresh(force = false): Promise<void> {
    if (!force && performance.now() - this.#lookedAt < freshForMs) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      this.#lookedAt = performance.now();
    });
    await this.#looking;
  }

  async #look(): Promise<void> {
    const names = this.#names();
    const known = new Set(names);
    for (const id of this.#entries.keys()) if (!known.has(id)) this.#entries.delete(id);
    for (const id of names) {
      const folder = join(this.folder, id);
      if (!this.#entries.has(id))
        this.#entries.set(id, { id, folder, stamp: 'new', summary: null, notes: noNotes, recordStamp: '', digest: null });
    }
    const changed = [...this.#entries.values()].filter(isChanged);
    for (let at = 0; at < changed.length; at += readersAtOnce) await Promise.all(changed.slice(at, at + readersAtOnce).map(readEntry));
  }

  /** Reads one known run again if it changed, however short ago the folder was looked at: its lock and its summary must be of one moment. */
  async refreshRun(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry !== undefined && isChanged(entry)) await readEntry(entry);
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder, { withFileTypes: true })
        .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
        .map((item) => item.name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #listed(): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.summary !== null);
  }

  /** Every run, without the results of records that were not read yet. */
  rows(): RunRow[] {
    return this.#listed().map(rowOf);
  }

  /** Folder of a run that is in the list; the id never becomes a path unless a folder of that name was found. */
  folderOf(id: string): string | null {
    const entry = this.#entries.get(id);
    return entry?.summary == null ? null : entry.folder;
  }

  row(id: string): RunRow | null {
    const entry = this.#entries.get(id);
    return entry?.summary == null ? null : rowOf(entry);
  }

  notesOf(id: string): RunNotes {
    return this.#entries.get(id)?.notes ?? noNotes;
  }

  /** The rows with their results, read from the records where needed. */
  async withResults(rows: readonly RunRow[]): Promise<RunRow[]> {
    const full: RunRow[] = [];
    for (const row of rows) {
      const entry = this.#entries.get(row.id);
      if (entry === undefined) continue;
      await readDigest(entry);
      full.push(rowOf(entry));
    }
    return full;
  }

  async leaderboard(): Promise<LeaderboardEntry[]> {
    const entries: LeaderboardEntry[] = [];
    for (const entry of this.#listed()) {
      await readDigest(entry);
      const { name, tags } = rowOf(entry);
      for (const one of entry.digest?.entries ?? []) entries.push({ ...one, runName: name, tags });
    }
    return entries;
  }
}

function entryStamp({ folder }: Entry): string {
  return `${stampOf(join(folder, runFiles.summary))}|${stampOf(join(folder, notesFile))}`;
}

/** A run without a summary yet is asked again until it has one. */
function isChanged(entry: Entry): boolean {
  return entry.summary === null || entry.stamp !== entryStamp(entry);
}

async function readEntry(entry: Entry): Promise<void> {
  entry.stamp = entryStamp(entry);
  entry.summary = await readSummary(entry.folder, entry.id).catch(() => null);
  entry.notes = entry.stamp.endsWith('|') ? noNotes : await readRunNotes(entry.folder);
}

async function readDigest(entry: Entry): Promise<void> {
  const stamp = stampOf(join(entry.folder, runFiles.record));
  if (stamp === entry.recordStamp) return;
  try {
    entry.digest = stamp === '' ? null : digestRecord(JSON.parse(await readFile(join(entry.folder, runFiles.record), 'utf8')));
  } catch {
    entry.digest = null;
  }
  entry.recordStamp = stamp;
}

function rowOf({ id, folder, summary, notes, digest }: Entry): RunRow {
  const { models, tasks, created, status } = summary!;
  const state = status === 'complete' ? 'complete' : runStateOf(folder, status);
  return {
    id,
    name: notes.name ?? digest?.name ?? nameOfRun(models, tasks),
    state,
    created,
    models,
    tasks,
    tags: notes.tags,
    headlines: digest?.headlines ?? null,
    smoke: digest?.smoke ?? null,
    durationMs: digest?.durationMs ?? null,
    done: digest?.done ?? null,
    total: digest?.total ?? null,
  };
}
