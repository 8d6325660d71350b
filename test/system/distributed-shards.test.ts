// Shards of a run of the real engine, merged, equal the run in one piece; what is not whole is refused.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalText } from '../../src/app/canonical.ts';
import { mergeShards } from '../../src/app/distributed/merge.ts';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import { openRun } from '../../src/app/open-run.ts';
import { verify } from '../../src/app/verify.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';

let folder = '';
let workspace: Workspace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-shards-'));
  workspace = await openWorkspace({ output: folder, offline: true });
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function runPart(shard?: { readonly index: number; readonly count: number }): Promise<string> {
  const result = await evaluateRequest({
    assignments: [],
    models: ['toy'],
    tasks: ['commonsense-mini', 'sentiment-mini'],
    settings: { threads: 1, samples: 11, deterministic: true },
    generation: {},
    adapters: [],
    dataFile: { columns: [] },
    output: folder,
    shard,
    dryRun: false,
    force: false,
    fresh: false,
    offline: true,
    commandLine: 'test',
  });
  if (result.kind !== 'record') throw new Error('no record');
  return result.folder;
}
async function canonicalOf(run: string): Promise<string> {
  let text = '';
  for await (const line of canonicalText(await openRun(run, workspace))) text += line;
  return text;
}

test('merged shards are identical to the whole run and verify', async () => {
  const whole = await runPart();
  const parts = [];
  for (const index of [1, 2, 3]) parts.push(await runPart({ index, count: 3 }));
  const merged = await mergeShards(parts.toReversed(), workspace);
  expect(merged.record.status).toBe('complete');
  expect(merged.record.results.map((result) => result.counts.total)).toEqual([11, 11]);
  expect(await canonicalOf(merged.folder)).toBe(await canonicalOf(whole));
  expect((await verify(merged.folder, workspace)).differences).toEqual([]);
  for (const report of ['report.md', 'report.html'])
    expect(await readFile(join(merged.folder, report), 'utf8'), report).toContain('commonsense-mini');
  await expect(mergeShards(parts.slice(1), workspace)).rejects.toMatchObject({ code: 'data', message: expect.stringContaining('1/3') });
  await expect(mergeShards([whole], workspace)).rejects.toMatchObject({ code: 'usage' });
  await expect(mergeShards(['nothing-here'], workspace)).rejects.toMatchObject({ code: 'not-found' });
  const journal = join(parts[0]!, 'journal.jsonl');
  const text = await readFile(journal, 'utf8');
  await writeFile(journal, text.split('\n').slice(1).join('\n'));
  await expect(mergeShards(parts, workspace)).rejects.toMatchObject({ code: 'data', message: expect.stringContaining('lacks 1 of') });
  await writeFile(journal, `${text}${text.split('\n')[0]!.replace(/"id":"[^"]*"/, '"id":"0000000000000000"')}\n`);
  await expect(mergeShards(parts, workspace)).rejects.toMatchObject({ code: 'data', message: expect.stringContaining('0000000000000000') });
});
