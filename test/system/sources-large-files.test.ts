// A file over V8's text limit streams in flat memory.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'large-'));
const path = join(folder, 'large.jsonl');
const lines = 2_000_000;
beforeAll(async () => {
  const block = Array.from({ length: 10_000 }, (_, index) => `${JSON.stringify({ index, text: 'x'.repeat(285) })}\n`).join('');
  const out = createWriteStream(path);
  for (let done = 0; done < lines; done += 10_000) if (!out.write(block)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('600 MB of JSON Lines: every row, under 300 MB of memory', () => {
  const script = `
    const { readRows } = await import(${JSON.stringify(new URL('../../src/datasets/read-rows.ts', import.meta.url).href)});
    let rows = 0; let peak = 0;
    for await (const row of readRows(process.argv[1], { notes: { classNames: {}, notes: [] } })) if (++rows % 50000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
    console.log(JSON.stringify({ rows, peak }));`;
  const result = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' })) as {
    rows: number;
    peak: number;
  };
  expect(result.rows).toBe(lines);
  expect(result.peak).toBeLessThan(300e6);
});
