// Writes the viewer with its data as a static site: it can be put on any web server, or opened from the folder as it is.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { missingRow } from '../../report/viewer/sample-columns.ts';
import { packColumns, rowsPerFile, type SiteData, type SiteRun } from '../../report/viewer/site-data.ts';
import type { RunLibrary } from './open-library.ts';

export interface ExportSiteInput {
  readonly library: RunLibrary;
  /** Files of the built client by name. */
  readonly client: ReadonlyMap<string, { readonly bytes: Uint8Array }>;
  /** Folder to write; must be new or empty. */
  readonly target: string;
}
export interface ExportedSite {
  readonly folder: string;
  readonly page: string;
  readonly runs: number;
  readonly samples: number;
}

const policy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'";

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(join(folder, 'data'), { recursive: true });
    const others = (await readdir(folder)).filter((name) => name !== 'data');
    if (others.length > 0 || (await readdir(join(folder, 'data'))).length > 0)
      throw new ToolError('usage', `${folder} is not empty`, { hint: 'name a new folder' });
  } catch (cause) {
    if (ToolError.isInstance(cause)) throw cause;
    throw new ToolError('storage', `cannot use ${folder}: ${messageOf(cause)}`, { cause });
  }
}

/** A page script that hands over JSON; nothing in it can end the string or start another statement. */
function announce(name: string, value: unknown): string {
  return `window.slmbenchFile(${JSON.stringify(name)},${JSON.stringify(value)});\n`;
}

async function writeClient(folder: string, client: ExportSiteInput['client']): Promise<void> {
  for (const [name, { bytes }] of client) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (name !== 'index.html') {
      await writeFile(path, bytes);
      continue;
    }
    const page = Buffer.from(bytes)
      .toString('utf8')
      .replace(
        '<meta charset="utf-8" />',
        `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
      )
      .replace('<script defer', '<script defer src="./data/site.js"></script>\n    <script defer');
    await writeFile(path, page);
  }
}

/** Rows go to files of a fixed number of slots, one file in memory at a time. */
async function writeRun(input: ExportSiteInput, folder: string, id: string, number: number): Promise<number> {
  const { library } = input;
  const detail = await library.runDetail(id);
  const source = await library.sampleSource(id);
  const { columns } = source;
  const clusters: (string | null)[] = new Array(columns.total).fill(null);
  let samples = 0;
  for (let start = 0; start < columns.total; start += rowsPerFile) {
    const slots = Array.from({ length: Math.min(rowsPerFile, columns.total - start) }, (_, at) => start + at);
    const rows: (PredictionRow | null)[] = slots.map(() => null);
    for (const { slot, row } of await source.rowsAt(slots.filter((slot) => columns.outcome[slot] !== missingRow))) {
      rows[slot - start] = row;
      clusters[slot] = row.cluster ?? null;
      samples++;
    }
    const name = `rows-${number}-${start / rowsPerFile}`;
    await writeFile(join(folder, 'data', `${name}.js`), announce(name, rows));
  }
  const run: SiteRun = { detail, columns: packColumns(columns, clusters) };
  await writeFile(join(folder, 'data', `run-${number}.js`), announce(`run-${number}`, run));
  return samples;
}

/** @throws ToolError `usage` for a folder that holds something, `storage` when it cannot be written */
export async function exportSite(input: ExportSiteInput): Promise<ExportedSite> {
  const folder = resolve(input.target);
  await prepareFolder(folder);
  const { library } = input;
  const runs = [];
  for (let offset = 0; ; ) {
    const page = await library.listRuns({}, offset, 200);
    runs.push(...page.rows);
    offset += page.rows.length;
    if (page.rows.length === 0 || offset >= page.matching) break;
  }
  let samples = 0;
  for (const [number, run] of runs.entries()) samples += await writeRun(input, folder, run.id, number);
  const site: SiteData = {
    schema: 'slmbench/site/1',
    folder: '',
    runs,
    leaderboard: await library.leaderboard(),
    training: await library.training(),
  };
  await writeFile(join(folder, 'data', 'site.js'), `window.slmbenchSite=${JSON.stringify(site)};\n`);
  await writeClient(folder, input.client);
  return { folder, page: join(folder, 'index.html'), runs: runs.length, samples };
}
