// The viewer's budget: first page with 1,000 runs (<= 300 ms), memory with a 100,000-sample run (<= 200 MB RSS), and how long
// filters, search and single samples take there. Prints one JSON line per figure. node bench/viewer/viewer.mjs
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runs = Number(process.env.RUNS ?? 1000);
const samples = Number(process.env.SAMPLES ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'slmbench-viewer-bench-'));
const runsFolder = join(folder, 'runs');
mkdirSync(runsFolder);

/** One small real run is the pattern of all. */
async function patternRun() {
  const { evaluate } = await import(new URL('../../src/app/evaluate.ts', import.meta.url));
  const { record, folder: place } = await evaluate({
    models: ['toy'],
    tasks: ['sentiment-mini'],
    runsFolder: join(folder, 'pattern'),
    settings: { samples: 40, profile: false, threads: 1 },
    offline: true,
  });
  return { id: record.id, place };
}

function makeManyRuns({ id, place }) {
  const files = ['plan.json', 'record.json', 'summary.json', 'journal.jsonl', 'events.jsonl'];
  const texts = Object.fromEntries(files.map((name) => [name, readFileSync(join(place, name), 'utf8')]));
  for (let number = 0; number < runs; number++) {
    const own = `20261130-${String(number).padStart(6, '0')}-00000000-0000`;
    mkdirSync(join(runsFolder, own));
    for (const name of files) writeFileSync(join(runsFolder, own, name), texts[name].replaceAll(id, own));
  }
}

function makeLargeRun({ id, place }) {
  const own = '20261201-000000-11111111-1111';
  const target = join(runsFolder, own);
  cpSync(place, target, { recursive: true });
  const ids = Array.from({ length: samples }, (_, at) => at.toString(16).padStart(16, '0'));
  for (const name of ['plan.json', 'record.json']) {
    const value = JSON.parse(readFileSync(join(target, name), 'utf8').replaceAll(id, own));
    value.tasks[0].sampleIds = ids;
    writeFileSync(join(target, name), JSON.stringify(value));
  }
  writeFileSync(join(target, 'summary.json'), readFileSync(join(target, 'summary.json'), 'utf8').replaceAll(id, own));
  const rows = readFileSync(join(place, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  let journal = '';
  const path = join(target, 'journal.jsonl');
  rmSync(path);
  rmSync(join(target, 'predictions.jsonl'), { force: true });
  for (let at = 0; at < samples; at++) {
    const row = { ...rows[at % rows.length], id: ids[at] };
    row.instruction = `${row.instruction}\nItem number ${at}.`;
    journal += `${JSON.stringify(row)}\n`;
    if (journal.length > 1 << 24 || at === samples - 1) {
      writeFileSync(path, journal, { flag: 'a' });
      journal = '';
    }
  }
  return { own, bytes: readFileSync(path).length };
}

/** The viewer in its own process, as the user starts it: its memory is its own. */
async function startViewer() {
  const main = existsSync(join(root, 'dist/cli/main.js')) ? 'dist/cli/main.js' : 'src/cli/main.ts';
  const script = `import(${JSON.stringify(join(root, main))}).then(async (m) => { process.exitCode = await m.main(process.argv.slice(1)); })`;
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', script, '--', 'view', '-o', runsFolder, '--port', '0', '--json', '--training', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the viewer ended with ${code}`)));
  });
  return { child, startMs: performance.now() - started, url: new URL(JSON.parse(line).url), main };
}

const print = (name, value, unit, limit) =>
  process.stdout.write(
    `${JSON.stringify({ name, value: Number(value.toFixed(1)), unit, ...(limit === undefined ? {} : { limit, met: value <= limit }) })}\n`,
  );

function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  return { rss: read('VmRSS'), peak: read('VmHWM') };
}

async function main() {
  const pattern = await patternRun();
  makeManyRuns(pattern);
  const viewer = await startViewer();
  const token = viewer.url.searchParams.get('token');
  const get = async (path) => {
    const started = performance.now();
    const response = await fetch(new URL(path, viewer.url), { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.slice(0, 200)}`);
    return { ms: performance.now() - started, body };
  };
  try {
    print('viewer start', viewer.startMs, 'ms');
    print(`first page, ${runs} runs, cold`, (await get('/api/runs?limit=50')).ms, 'ms', 300);
    const again = [];
    for (let round = 0; round < 5; round++) again.push((await get('/api/runs?limit=50')).ms);
    print(`first page, ${runs} runs, again (median of 5)`, again.sort((a, b) => a - b)[2], 'ms', 300);
    print('filter by text', (await get('/api/runs?text=toy&limit=50')).ms, 'ms');
    print('leaderboard, cold', (await get('/api/leaderboard')).ms, 'ms');
    print(`memory with ${runs} runs`, memory(viewer.child.pid).rss, 'MB', 200);
    const { own, bytes } = makeLargeRun(pattern);
    print('size of the large journal', bytes / 1e6, 'MB');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const samplesOf = (query) => get(`/api/runs/${own}/samples?limit=50${query}`);
    print(`first page of ${samples} samples, cold`, (await samplesOf('')).ms, 'ms');
    print('page in the middle', (await samplesOf(`&offset=${samples / 2}`)).ms, 'ms');
    print('filter wrong, slowest first', (await samplesOf('&outcome=wrong&sort=slowest')).ms, 'ms');
    const search = await samplesOf('&text=Item%20number%2077777.');
    if (JSON.parse(search.body).matching !== (samples > 77_777 ? 1 : 0)) throw new Error('search found the wrong rows');
    print('text search', search.ms, 'ms');
    print('text search, next page', (await samplesOf('&text=Item%20number%2077777.&offset=0')).ms, 'ms');
    print('one sample', (await get(`/api/runs/${own}/samples/${samples - 1}`)).ms, 'ms');
    print('run page', (await get(`/api/runs/${own}`)).ms, 'ms');
    const { rss, peak } = memory(viewer.child.pid);
    print(`memory with a ${samples}-sample run`, rss, 'MB', 200);
    print('peak memory', peak, 'MB', 200);
  } finally {
    viewer.child.removeAllListeners('exit');
    viewer.child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}
await main();
