// Takes the pictures of the documentation: report and viewer of made-up runs of five models, in light, dark and on a phone, and three charts.
// Usage: node scripts/screenshots.mjs (after npm run build). Every picture is drawn by the product itself.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const { scoredRun } = await import('../test/fixtures/scored-run.ts');
const { renderReportFiles } = await import('../src/app/write-reports.ts');

const input = await scoredRun({ models: 5, samplesPerTask: 120 });
const files = await renderReportFiles(input, ['html', 'png']);
mkdirSync(images, { recursive: true });
for (const { name, content } of files)
  if (['tradeoff.png', 'accuracy_comparison.png', 'task_heatmap.png'].includes(name)) writeFileSync(join(images, name), content);

const folder = mkdtempSync(join(tmpdir(), 'slmbench-screenshots-'));
const path = join(folder, 'report.html');
writeFileSync(path, files.find(({ name }) => name === 'report.html').content);

const args = chromium.args.filter((flag) => !flag.startsWith('--single-process') && flag !== '--no-zygote');
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
const shots = [
  { name: 'report-light', width: 1280, height: 900, colorScheme: 'light', anchor: null },
  { name: 'report-dark', width: 1280, height: 900, colorScheme: 'dark', anchor: null },
  { name: 'report-samples', width: 1280, height: 900, colorScheme: 'light', anchor: '#samples' },
  { name: 'report-phone', width: 390, height: 844, colorScheme: 'light', anchor: null },
];
for (const { name, width, height, colorScheme, anchor } of shots) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-ready]');
  if (anchor !== null) {
    await page.locator('.option').nth(2).click();
    await page.locator(anchor).evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
  }
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}
await takeViewer();
await browser.close();
rmSync(folder, { recursive: true, force: true });

/** Two runs as the store keeps them: the second a day later, on fewer models. */
async function writeRuns(runsFolder) {
  const { fixtureRun } = await import('../test/fixtures/report-runs.ts');
  const { loadFileRunStore } = await import('../src/store/registry.ts');
  const store = await loadFileRunStore(runsFolder);
  const ids = [];
  for (const [models, created] of [
    [5, '2026-11-29T09:00:00.000Z'],
    [3, '2026-11-30T18:00:00.000Z'],
  ]) {
    const { plan, record, rows } = await fixtureRun({ models, samplesPerTask: 120, created });
    const { writer } = await store.open(plan, { fresh: true });
    await writer.append(rows);
    await writer.writeRecord({ ...record, id: writer.runId, created });
    await writer.close();
    ids.push(writer.runId);
  }
  return ids;
}

async function takeViewer() {
  const runsFolder = join(folder, 'runs');
  const [first] = await writeRuns(runsFolder);
  const viewer = spawn(process.execPath, [join(root, 'bin/slmbench.js'), 'view', '-o', runsFolder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise((resolve, reject) => {
      viewer.stdout.setEncoding('utf8').once('data', resolve);
      viewer.once('exit', (code) => reject(new Error(`the viewer ended with ${code}`)));
    });
    const { url } = JSON.parse(line);
    for (const { name, hash, colorScheme, width = 1280 } of [
      { name: 'viewer-run', hash: `#/runs/${first}`, colorScheme: 'light' },
      { name: 'viewer-leaderboard', hash: '#/leaderboard', colorScheme: 'dark' },
      { name: 'viewer-phone', hash: `#/runs/${first}`, colorScheme: 'light', width: 390 },
    ]) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(url);
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.waitForTimeout(1500);
      await page.screenshot({ path: join(images, `${name}.png`) });
      await page.close();
    }
  } finally {
    viewer.removeAllListeners('exit');
    viewer.kill('SIGTERM');
  }
}
