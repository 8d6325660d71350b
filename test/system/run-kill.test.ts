// Real processes, killed and interrupted: nothing that was answered is lost or asked twice, and the end is that of an undisturbed run.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRecord } from '../../src/core/record.ts';
import { canonicalLines } from '../../src/runner/canonical-record.ts';
import { orderedRows, scanJournal } from '../../src/runner/ordered-rows.ts';
import { readRunFacts } from '../../src/runner/run-facts-file.ts';
import { runSlots } from '../../src/runner/run-slots.ts';
import { verifyRun } from '../../src/runner/verify-run.ts';
import { openFileRunStore } from '../../src/store/files/file-run-store.ts';
import { createScorer } from '../contract/run-store-fakes.ts';

const total = 2 * (80 + 60 + 20);
const generated = 2 * (80 + 60);
const concurrency = 4;
/** After these the run may end, so that the test does. */
const maxKills = 12;
const child = join(import.meta.dirname, 'run-kill-child.ts');
let base = '';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

interface Started {
  readonly process: ChildProcess;
  /** Resolves when the run is open. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ended>;
}

function start(place: string, delayMs: number): Started {
  const runs = join(base, place);
  mkdirSync(runs, { recursive: true });
  const process_ = spawn(process.execPath, [child, runs, callsOf(place), String(delayMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let opened: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    opened = resolve;
  });
  process_.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    opened();
  });
  const ended = new Promise<Ended>((resolve) => {
    process_.on('close', (code, signal) => {
      opened();
      resolve({ code, signal, output });
    });
  });
  return { process: process_, ready, ended };
}

function callsOf(place: string): string {
  return join(base, `${place}.calls`);
}

function calls(place: string): number {
  return statSync(callsOf(place)).size;
}

function journalLines(place: string): number {
  const [run] = readdirSync(join(base, place));
  return readFileSync(join(base, place, run!, 'journal.jsonl'), 'latin1').split('\n').length - 1;
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Canonical lines of the only run in a folder, after it was verified. */
async function canonical(place: string): Promise<{ readonly lines: readonly string[]; readonly record: RunRecord }> {
  const store = openFileRunStore(join(base, place));
  const runs = await store.list();
  expect(runs).toHaveLength(1);
  const { runId } = runs[0]!;
  const [plan, record] = [await store.readPlan(runId), await store.readRecord(runId)];
  const rows = () => store.readRows(runId);
  const facts = await readRunFacts(runId, (name) => store.readArtifact(runId, name));
  expect(await verifyRun({ plan, record, facts, rows, createScorer, digestArtifact: (name) => store.digestArtifact(runId, name) })).toEqual(
    [],
  );
  const slots = runSlots(plan);
  const scan = await scanJournal(slots, rows());
  const final = async function* () {
    for await (const { row } of orderedRows({ slots, scan, rows })) yield row;
  };
  const lines: string[] = [];
  for await (const line of canonicalLines(record, final())) lines.push(line);
  return { lines, record };
}

/** Kills after a random number of further samples or, now and then, a random time after the start. */
async function killAtRandom(run: Started, place: string, before: number, ended: AbortSignal): Promise<void> {
  if (Math.random() < 0.25) await pause(Math.random() * 60);
  else {
    const target = before + 10 + Math.random() * 80;
    while (!ended.aborted && journalLines(place) < Math.min(target, total)) await pause(4);
    if (Math.random() < 0.5) await pause(Math.random() * 20);
  }
  if (!ended.aborted) run.process.kill('SIGKILL');
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'slmbench-kill-'));
  expect((await start('undisturbed', 0).ended).output).toMatch(/^started .*\ncomplete\n$/);
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

test('killed with -9 at random moments and started again until it ends: equal to an undisturbed run, nothing asked twice', async () => {
  const place = 'killed';
  let kills = 0;
  let midRun = 0;
  for (;;) {
    const before = kills === 0 ? 0 : journalLines(place);
    const run = start(place, 8);
    await run.ready;
    const killed = new AbortController();
    if (kills < maxKills) void killAtRandom(run, place, before, killed.signal);
    const ended = await run.ended;
    killed.abort();
    if (ended.signal !== 'SIGKILL') {
      expect(ended).toMatchObject({ code: 0, output: expect.stringContaining('complete') });
      break;
    }
    kills++;
    const lines = journalLines(place);
    if (lines > 0 && lines < total) midRun++;
    // Killed after the record was stored: the run is complete, and the same command would start another one.
    if ((await openFileRunStore(join(base, place)).list())[0]!.status === 'complete') break;
  }
  expect(midRun).toBeGreaterThanOrEqual(3);
  expect(journalLines(place)).toBe(total);
  const { lines, record } = await canonical(place);
  expect(lines).toEqual((await canonical('undisturbed')).lines);
  expect(record.notes).toContainEqual(expect.stringMatching(/^run in \d+ sessions$/));
  // Beside the samples in flight at each kill only warm-ups (at most one per model and session) were asked again.
  expect(calls(place)).toBeLessThanOrEqual(generated + (kills + 1) * 2 + kills * concurrency);
});

test('a second process on one run is refused and disturbs nothing', async () => {
  const place = 'shared';
  const first = start(place, 60);
  await first.ready;
  const second = await start(place, 0).ended;
  expect(second).toMatchObject({ code: 1, output: expect.stringMatching(new RegExp(`^locked: .*process ${first.process.pid} `)) });
  expect(await first.ended).toMatchObject({ code: 0 });
  expect((await canonical(place)).lines).toEqual((await canonical('undisturbed')).lines);
});

test('Ctrl-C once: samples in flight are kept, partial record, exit 130; the same command then asks for the rest only', async () => {
  const place = 'interrupted';
  const run = start(place, 20);
  await run.ready;
  await pause(300);
  run.process.kill('SIGINT');
  expect(await run.ended).toMatchObject({ code: 130, output: expect.stringContaining('partial') });
  const kept = journalLines(place);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(total);
  expect((await canonical(place)).record.results.reduce((sum, result) => sum + result.counts.missing, 0)).toBe(total - kept);
  expect(await start(place, 0).ended).toMatchObject({ code: 0, output: expect.stringMatching(/^resumed .*\ncomplete\n$/) });
  expect((await canonical(place)).lines).toEqual((await canonical('undisturbed')).lines);
  // One warm-up per model in each session that needed it.
  expect(calls(place)).toBeLessThanOrEqual(generated + 3);
});

test('Ctrl-C twice: ends within two seconds although samples are in flight, and the journal is whole', async () => {
  const place = 'stopped';
  const run = start(place, 700);
  await run.ready;
  await pause(1700);
  const startMs = performance.now();
  run.process.kill('SIGINT');
  await pause(50);
  run.process.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(performance.now() - startMs).toBeLessThan(2000);
  expect((await canonical(place)).record.status).toBe('partial');
});
