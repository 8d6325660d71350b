// Takes the pictures of the documentation: the report of a made-up run of five models, in light, dark and on a phone, and two charts.
// Usage: node scripts/screenshots.mjs (after npm run build). Every picture is drawn by the product itself.
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
  if (name === 'tradeoff.png' || name === 'accuracy_comparison.png') writeFileSync(join(images, name), content);

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
await browser.close();
rmSync(folder, { recursive: true, force: true });
