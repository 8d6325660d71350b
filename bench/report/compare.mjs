// `slmbench compare` of two runs with 10,000 samples each as a whole process: processor time, which a busy machine distorts least, and wall time.
// Limit: 0.6 s. Needs a built dist/. Usage: node bench/report/compare.mjs [runs]; prints JSON. KEEP=folder keeps the two runs there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
const repeats = Number(process.argv[2] ?? 7);
const samples = Number(process.env.SAMPLES ?? 10_000);
const folder = process.env.KEEP ?? mkdtempSync(join(tmpdir(), 'slmbench-compare-bench-'));
mkdirSync(folder, { recursive: true });

/** Two runs of one model on the same items, written by the store that every run is written by. */
async function makeRuns() {
  const { fixtureRun } = await import('../../test/fixtures/report-runs.ts');
  const { loadFileRunStore } = await import('../../src/store/registry.ts');
  const store = await loadFileRunStore(folder);
  const ids = [];
  for (const seed of [7, 8]) {
    const { plan, record, rows } = await fixtureRun({ models: 1, tasks: 1, samplesPerTask: samples, seed });
    const { writer } = await store.open(plan, { fresh: true });
    await writer.append(rows);
    await writer.writeRecord({ ...record, id: writer.runId });
    await writer.close();
    ids.push(writer.runId);
  }
  return ids;
}

const script = `const { spawnSync } = require('node:child_process');
const started = performance.now();
const { status, stderr } = spawnSync(process.execPath, process.argv.slice(1), { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
const wallMs = performance.now() - started;
if (status !== 0) throw new Error(stderr);
const times = require('node:fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
console.log(JSON.stringify({ wallMs, cpuMs: (Number(times[13]) + Number(times[14])) * 10 }));`;

/** Wall and processor time of one child, from the parent's own accounting of finished children. */
function measure(args) {
  return JSON.parse(execFileSync(process.execPath, ['-e', script, '--', ...args], { encoding: 'utf8' }));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const ids = await makeRuns();
  const commands = { compare: [bin, 'compare', ...ids, '-o', folder], emptyNode: ['-e', '0'] };
  const seen = { compare: [], emptyNode: [] };
  for (const args of Object.values(commands)) measure(args);
  for (let run = 0; run < repeats; run++) for (const [name, args] of Object.entries(commands)) seen[name].push(measure(args));
  const [compare, empty] = [seen.compare, seen.emptyNode].map((all) => ({
    cpuMs: Math.round(median(all.map((one) => one.cpuMs))),
    wallMs: Math.round(median(all.map((one) => one.wallMs))),
  }));
  process.stdout.write(`${JSON.stringify({ samples, compare, emptyNode: empty, limitMs: 600, met: compare.wallMs <= 600 }, null, 2)}\n`);
} finally {
  if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
}
