// A reader that goes away early (`2>&1 | head -2`) ends neither the run nor its exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'slmbench-pipe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line of which both outputs, or stderr alone, lose their reader at the first byte of progress. */
async function runUnread(args: readonly string[], closed: readonly ('stdout' | 'stderr')[]) {
  const main = new URL('./main.ts', import.meta.url).href;
  const program = `process.exitCode = await (await import(${JSON.stringify(main)})).main(${JSON.stringify(args)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The program itself, not a part of this test run.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV')),
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (texts.stdout += chunk));
  child.stderr.on('data', (chunk) => (texts.stderr += chunk));
  child.stderr.once('data', () => {
    for (const name of closed) child[name].destroy();
  });
  const [code] = await once(child, 'exit');
  return { code, ...texts };
}

test.each([
  [['stderr'], 'good', 0],
  [['stdout', 'stderr'], 'failing', 1],
] as const)(
  'readers of %j gone: the run of a %s model ends with a record and code %i',
  async (closed, kind, expected) => {
    const answer = kind === 'good' ? { text: 'pos', latencyMs: 20 } : { fail: { code: 'backend' }, latencyMs: 20 };
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify({ rules: [{ ...answer }] }));
    const rows = ['a', 'b', 'c', 'd'].map((text, index) => JSON.stringify({ text, label: index % 2 === 0 ? 'pos' : 'neg' }));
    writeFileSync(join(folder, 'mine.jsonl'), rows.join('\n'));
    const runs = `runs-${kind}-${closed.length}`;
    const args = ['run', '-m', `scripted:./${kind}.json`, '-d', './mine.jsonl', '--split', 'test', '-o', runs, '--offline'];
    const { code, stdout, stderr } = await runUnread(args, closed);
    expect(stderr).not.toContain('EPIPE');
    expect(code).toBe(expected);
    const [run] = readdirSync(join(folder, runs)).filter((name) => !name.startsWith('.'));
    const files = readdirSync(join(folder, runs, run!));
    expect(files).toEqual(expect.arrayContaining(['record.json', 'report.html']));
    // Left behind by a process that died.
    expect(files).not.toContain('lock');
    if (closed.length === 1) expect(stdout).toContain('mine');
  },
  60_000,
);
