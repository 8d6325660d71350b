import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, someRows } from '../../../test/contract/run-store-contract.ts';
import { generateTask, planOf } from '../../../test/contract/run-store-fakes.ts';
import { newRunId } from '../shared/run-id.ts';
import { type AppendCalls, openAppendLog } from './append-log.ts';
import { openFileRunStore } from './file-run-store.ts';
import { readJsonLines } from './json-lines.ts';
import { processStart } from './process-identity.ts';

const plan = planOf([generateTask(20)]);
const rows = someRows(plan, 20);
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slmbench-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

async function runWithRows(count: number): Promise<string> {
  const { writer } = await openFileRunStore(root).open(plan, { fresh: false });
  await writer.append(rows.slice(0, count));
  await writer.close();
  return writer.runId;
}

function lockText(change: Readonly<Record<string, unknown>>): string {
  const holder = {
    pid: process.pid,
    host: hostname(),
    processStart: processStart(process.pid),
    lockedAt: '2026-11-30T00:00:00.000Z',
    token: 't',
  };
  return JSON.stringify({ ...holder, ...change });
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('exit', resolve));
  return child.pid!;
}

test('a journal cut at any byte is read up to its last whole line and goes on from there', async () => {
  const runId = await runWithRows(3);
  const path = join(root, runId, 'journal.jsonl');
  const whole = readFileSync(path);
  for (let length = 0; length <= whole.length; length += 23) {
    writeFileSync(path, whole.subarray(0, length));
    const wholeLines = whole.subarray(0, length).toString('latin1').split('\n').length - 1;
    expect(await collect(openFileRunStore(root).readRows(runId))).toEqual(rows.slice(0, wholeLines));
    const { writer } = await openFileRunStore(root).open(plan, { fresh: false });
    await writer.append([rows[9]!]);
    expect(await collect(writer.rows())).toEqual([...rows.slice(0, wholeLines), rows[9]]);
    await writer.close();
  }
});

test('a damaged line inside the journal is an error with its place, never skipped', async () => {
  const runId = await runWithRows(3);
  const path = join(root, runId, 'journal.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const bad of ['{"id":', '{}', lines[1]!.replace('"repeat":0', '"repeat":-1')]) {
    writeFileSync(path, [lines[0], bad, lines[2], ''].join('\n'));
    await expect(collect(openFileRunStore(root).readRows(runId))).rejects.toMatchObject({ code: 'integrity', location: { line: 2 } });
  }
});

test('lines of any length survive the reading buffer', async () => {
  const path = join(root, 'lines.jsonl');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constant(3), fc.integer({ min: 0, max: 700_000 })), { maxLength: 6 }),
      fc.boolean(),
      async (sizes, torn) => {
        const values = sizes.map((size, index) => ({ index, text: 'é'.repeat(size) }));
        writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join('') + (torn ? '{"torn' : ''));
        expect(await collect(readJsonLines(path, (value) => value))).toEqual(values);
      },
    ),
    { numRuns: 10 },
  );
});

test('the lock of a dead process, of a reused process id and a damaged lock are taken over', async () => {
  const runId = await runWithRows(1);
  const stale = [
    lockText({ pid: await endedPid(), processStart: null }),
    ...(processStart(process.pid) === null ? [] : [lockText({ processStart: '1' })]),
    '{"pid":',
    '',
  ];
  for (const text of stale) {
    writeFileSync(join(root, runId, 'lock'), text);
    const { writer, resumed } = await openFileRunStore(root).open(plan, { fresh: false });
    expect(resumed).toBe(true);
    await writer.close();
    expect(readdirSync(join(root, runId)).filter((name) => name.startsWith('lock'))).toEqual([]);
  }
});

test('the lock of another host is respected and its file named', async () => {
  const runId = await runWithRows(1);
  writeFileSync(join(root, runId, 'lock'), lockText({ host: 'elsewhere', pid: 1 }));
  await expect(openFileRunStore(root).open(plan, { fresh: false })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('elsewhere'),
    hint: expect.stringContaining(join(runId, 'lock')),
  });
});

test('what a crash between write and rename leaves behind is cleaned up and never mistaken for the file', async () => {
  const runId = await runWithRows(1);
  const left = join(root, runId, 'record.json.tmp-123-0123abcd');
  writeFileSync(left, '{"schema":"slmb');
  expect((await openFileRunStore(root).list())[0]).toMatchObject({ runId, status: 'unfinished' });
  const { writer } = await openFileRunStore(root).open(plan, { fresh: false });
  expect(existsSync(left)).toBe(false);
  await writer.close();
});

test('a failing artifact leaves the old one and no temporary file', async () => {
  const { writer } = await openFileRunStore(root).open(plan, { fresh: false });
  await writer.writeArtifact('report.md', 'old');
  const broken = (async function* (): AsyncGenerator<string> {
    yield 'new';
    throw new Error('rendering failed');
  })();
  await expect(writer.writeArtifact('report.md', broken)).rejects.toThrow('rendering failed');
  expect(await writer.readArtifact('report.md')).toBe('old');
  expect(readdirSync(join(root, writer.runId)).filter((name) => name.includes('.tmp-'))).toEqual([]);
  await writer.close();
});

test('an output folder that cannot be used is refused before anything runs', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'runs')]) {
    await expect(openFileRunStore(path).open(plan, { fresh: false })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(path),
    });
  }
  // Root may write anywhere but to the kernel's own file system.
  await expect(openFileRunStore('/proc/slmbench').open(plan, { fresh: false })).rejects.toMatchObject({ code: 'usage' });
});

test('other files beside the runs are ignored, a lost summary is made again', async () => {
  const runId = await runWithRows(1);
  mkdirSync(join(root, 'notes'));
  writeFileSync(join(root, 'README'), '');
  symlinkSync('/nowhere', join(root, 'dangling'));
  rmSync(join(root, runId, 'summary.json'));
  expect(await openFileRunStore(root).list()).toMatchObject([{ runId, status: 'unfinished', models: ['m'], planDigest: plan.digest }]);
  expect(await openFileRunStore(join(root, 'none')).list()).toEqual([]);
});

test('run ids sort by time and do not collide within a second', () => {
  const at = (second: number): string => newRunId(plan.digest, new Date(Date.UTC(2026, 10, 30, 9, 5, second)));
  expect(at(1) < at(2)).toBe(true);
  expect(at(1)).toMatch(/^20261130-090501-[0-9a-f]{8}-[0-9a-f]{4}$/);
  expect(new Set(Array.from({ length: 20 }, () => at(3))).size).toBeGreaterThan(15);
});

test('a write that fails half-way leaves whole lines only, and the next one goes on', async () => {
  const path = join(root, 'journal.jsonl');
  let room = 25;
  const calls: AppendCalls = {
    write: (_descriptor, bytes, offset) => {
      if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const length = Math.min(room, bytes.length - offset, 4);
      room -= length;
      appendFileSync(path, bytes.subarray(offset, offset + length));
      return length;
    },
    sync: async () => undefined,
  };
  const log = openAppendLog(path, calls);
  log.append('{"a":1}\n');
  log.append('{"a":2}\n');
  expect(() => log.append('{"a":3,"text":"long"}\n')).toThrow(/disk is full/);
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":2}\n');
  room = 1000;
  log.append('{"a":4}\n');
  await log.close();
  expect(await collect(readJsonLines(path, (value) => value))).toEqual([{ a: 1 }, { a: 2 }, { a: 4 }]);
});

test('a failed fsync is an error of every append that waits for it', async () => {
  const log = openAppendLog(join(root, 'journal.jsonl'), {
    write: (_descriptor, bytes, offset) => bytes.length - offset,
    sync: async () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    },
  });
  log.append('{}\n');
  await Promise.all([1, 2, 3].map(() => expect(log.sync()).rejects.toMatchObject({ code: 'storage' })));
});

const canMount = process.getuid?.() === 0 && mountTmpfs(mkdtempSync(join(tmpdir(), 'slmbench-mount-')), 'size=64k', true);

test.skipIf(!canMount)('a full disk: a clear error, a readable journal, and the run goes on when there is room', async () => {
  const disk = join(root, 'disk');
  mkdirSync(disk);
  mountTmpfs(disk, 'size=128k', false);
  try {
    const { writer } = await openFileRunStore(disk).open(plan, { fresh: false });
    let written = 0;
    const fill = async (): Promise<void> => {
      for (; written < 10_000; written++) await writer.append([rows[written % rows.length]!]);
    };
    await expect(fill()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('disk is full') });
    expect(written).toBeGreaterThan(0);
    expect(await collect(writer.rows())).toHaveLength(written);
    await expect(writer.writeArtifact('report.md', 'x'.repeat(200_000))).rejects.toMatchObject({ code: 'storage' });
    execFileSync('mount', ['-o', 'remount,size=1m', disk]);
    await writer.append([rows[0]!]);
    expect(await collect(openFileRunStore(disk).readRows(writer.runId))).toHaveLength(written + 1);
    await writer.close();
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await expect(openFileRunStore(disk).open(plan, { fresh: true })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('read-only'),
    });
  } finally {
    execFileSync('umount', [disk]);
  }
});

function mountTmpfs(folder: string, options: string, onlyProbe: boolean): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    if (onlyProbe) execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    if (onlyProbe) rmSync(folder, { recursive: true, force: true });
  }
}
