// How fast the harness itself is: a run of 100,000 samples on a backend that answers at once, with journal, record and predictions.
// Usage: node bench/runner-throughput.mjs [samples] [concurrency]
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeRun } from '../src/runner/execute-run.ts';
import { finishRun } from '../src/runner/finish-run.ts';
import { openFileRunStore } from '../src/store/files/file-run-store.ts';
import { createScorer, fakeBackend, generateTask, origin, planOf, promptContext } from '../test/contract/run-store-fakes.ts';

const samples = Number(process.argv[2] ?? 100_000);
const concurrency = Number(process.argv[3] ?? 64);
const limits = { samplesPerSecond: 5000, peakRssMiB: 300, recordSeconds: 10 };

// Running the TypeScript sources costs memory that the built package does not need.
const loadedRssMiB = process.resourceUsage().maxRSS / 1024;
const folder = mkdtempSync(join(tmpdir(), 'slmbench-bench-'));
const clock = {
  nowMs: () => performance.now(),
  utc: () => new Date().toISOString(),
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
};
try {
  const task = generateTask(samples, {}, (index) => index.toString(16).padStart(16, '0'));
  const plan = planOf([task], { set: { concurrency } });
  const store = openFileRunStore(folder);
  const { writer } = await store.open(plan, { fresh: true });
  let events = 0;
  const startMs = performance.now();
  const { facts } = await executeRun({
    plan,
    tasks: [task],
    openModel: async () => fakeBackend(),
    promptContext: () => promptContext,
    writer,
    resumed: false,
    cache: null,
    clock,
    meter: null,
    graders: [],
    listener: () => events++,
    origin,
  });
  const runMs = performance.now() - startMs;
  const recordStartMs = performance.now();
  const record = await finishRun({ plan, writer, facts, createScorer });
  const recordMs = performance.now() - recordStartMs;
  await writer.close();
  const journalMiB = statSync(join(folder, readdirSync(folder)[0], 'journal.jsonl')).size / 2 ** 20;
  const peakRssMiB = process.resourceUsage().maxRSS / 1024;
  const samplesPerSecond = (samples / runMs) * 1000;
  const line = (name, value, ok) => process.stdout.write(`${name.padEnd(28)} ${value.padStart(14)}  ${ok ? 'ok' : 'MISSED'}\n`);
  line('samples/s with journal', samplesPerSecond.toFixed(0), samplesPerSecond >= limits.samplesPerSecond);
  line('peak RSS, MiB', peakRssMiB.toFixed(0), peakRssMiB <= limits.peakRssMiB);
  line('of it before the run, MiB', loadedRssMiB.toFixed(0), true);
  line('record and predictions, s', (recordMs / 1000).toFixed(2), recordMs / 1000 <= limits.recordSeconds);
  line('journal, MiB', journalMiB.toFixed(1), true);
  line('samples scored', String(record.results[0].counts.scored), record.results[0].counts.scored === samples && events > samples);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
