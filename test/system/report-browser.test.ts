// biome-ignore-all lint/performance/useDomNodeTextContent: what a reader sees counts here, not what the tree holds
// The HTML report in a real Chromium: script, no script, filters, sorting, drill-down, print, dark, phone, hostile texts, accessibility, size.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html/render-html.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import { hostileTexts } from '../fixtures/hostile-texts.ts';
import { withMeasurements } from '../fixtures/measured-run.ts';
import { scoredRun } from '../fixtures/scored-run.ts';

let browser: Browser;
let folder: string;
let script: string;
const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

beforeAll(async () => {
  const { bundleReportClient } = (await import('../../scripts/build-report-client.mjs' as string)) as {
    bundleReportClient: () => Promise<string>;
  };
  script = await bundleReportClient();
  folder = await mkdtemp(join(tmpdir(), 'slmbench-report-'));
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((flag) => !flag.startsWith('--single-process') && flag !== '--no-zygote'),
    headless: true,
  });
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** Console messages, page errors and requests that left the file. */
  readonly faults: readonly string[];
}

async function pageFile(input: ReportInput, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, renderHtml(input, { script }));
  return pathToFileURL(path).href;
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url.split('#')[0]) faults.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.goto(url);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]');
  return { page, faults };
}

/** Brings every chart into view, so that each is drawn. */
async function scrollThrough(page: Page): Promise<void> {
  const count = await page.locator('[data-chart]').count();
  for (let at = 0; at < count; at++) {
    await page.locator('[data-chart]').nth(at).scrollIntoViewIfNeeded();
    await page.locator('[data-chart]').nth(at).locator('.canvas > div svg').waitFor();
  }
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (
          root: Document,
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
      };
    };
    return (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })).violations;
  });
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.length}x ${nodes[0]!.html.slice(0, 160)} ${nodes[0]!.failureSummary?.slice(0, 300) ?? ''}`,
  );
}

describe('a run of five models', () => {
  let input: ReportInput;
  let url: string;
  beforeAll(async () => {
    input = withMeasurements(await scoredRun({ models: 5, samplesPerTask: 60 }));
    url = await pageFile(input, 'five.html');
  });

  test('opens without a fault, answers first, and every chart comes alive', async () => {
    const { page, faults } = await open(url);
    expect(await page.locator('h1').innerText()).toBe('Take phi-4-mini:q4_k_m');
    expect(await page.locator('[data-chart]').count()).toBe(5 + 2 + 2 + 2 + 4 + 2 * 3);
    await scrollThrough(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a chart tells its figures on hover', async () => {
    const { page, faults } = await open(url);
    const figure = page.locator('[data-chart=accuracy_comparison]');
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('.canvas > div svg').waitFor();
    const box = (await figure.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.24, box.y + box.height * 0.205, { steps: 5 });
    await expect.poll(() => figure.locator('svg').innerHTML()).toMatch(/>n 60</);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('columns sort by click and by key, unknown values last', async () => {
    const { page } = await open(url);
    const table = page.locator('table', { hasText: 'Models by score' });
    const first = () => table.locator('tbody th').first().innerText();
    expect(await first()).toContain('phi-4-mini');
    await table.getByRole('button', { name: 'Latency p50' }).click();
    await table.getByRole('button', { name: 'Latency p50' }).click();
    expect(await table.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('ascending');
    expect(await first()).toContain('smollm2-135m');
    await table.getByRole('button', { name: 'Model', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(await first()).toContain('gemma');
    await page.context().close();
  });

  test('samples: search, filters, order, keyboard, detail, and a link that shows the same', async () => {
    const { page, faults } = await open(url);
    const explorer = page.locator('#explorer');
    const count = explorer.locator('.count');
    await expect.poll(() => count.innerText()).toBe('240 of 240 questions');
    await explorer.locator('[name=task]').selectOption({ label: 'sentiment-mini' });
    await explorer.locator('[name=verdict]').selectOption('invalid');
    const wanted = input.rows.filter(({ row }) => row.task === 'sentiment-mini' && row.outcome.kind === 'invalid');
    await expect.poll(() => count.innerText()).toBe(`${new Set(wanted.map(({ row }) => row.id)).size} of 240 questions`);
    await explorer.locator('[name=flipped]').check();
    await explorer.locator('[name=order]').selectOption('slowest');
    await explorer.locator('.list').focus();
    await page.keyboard.press('ArrowDown');
    const id = (await explorer.locator('.detail .note').first().innerText()).match(/id (\w+)/)![1]!;
    const row = input.rows.find((candidate) => candidate.row.id === id)!.row;
    const shown = await explorer.locator('.detail').innerText();
    for (const part of [row.instruction.slice(-30), 'Raw output', 'Read by rule', 'Gold']) expect(shown).toContain(part);
    const other = await open(page.url());
    expect(await other.page.locator('.detail .note').first().innerText()).toContain(id);
    expect(await other.page.locator('#explorer .count').innerText()).toBe(await count.innerText());
    await explorer.locator('[name=text]').fill('no such words anywhere');
    await expect.poll(() => count.innerText()).toBe('0 of 240 questions');
    expect([...faults, ...other.faults]).toEqual([]);
    await other.page.context().close();
    await page.context().close();
  });

  test('without a script all figures, charts and some samples are there', async () => {
    const { page, faults } = await open(url, { javaScriptEnabled: false });
    expect(await page.locator('h1').innerText()).toContain('phi-4-mini');
    expect(await page.locator('.canvas > svg').count()).toBe(await page.locator('[data-chart]').count());
    expect(await page.locator('.static-samples details').count()).toBe(30);
    expect(await page.locator('#explorer').isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in %s', async (colorScheme) => {
    const { page } = await open(url, { colorScheme });
    await page.locator('.option').first().click();
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test('the scheme can be switched, and the charts follow', async () => {
    const { page, faults } = await open(url, { colorScheme: 'light' });
    await page.locator('[data-chart=tradeoff]').scrollIntoViewIfNeeded();
    await page.locator('[data-chart=tradeoff] .canvas > div svg').waitFor();
    const background = () => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const chart = () => page.locator('[data-chart=tradeoff] svg rect').first().getAttribute('fill');
    const before = [await background(), await chart()];
    await page.locator('#theme').click();
    const after = [await background(), await chart()];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([390, 768])('nothing is wider than a screen of %i pixels', async (width) => {
    const { page, faults } = await open(url, { viewport: { width, height: 844 } });
    await scrollThrough(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('print shows the static samples in light colours', async () => {
    const { page } = await open(url, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.static-samples').isVisible()).toBe(true);
    expect(await page.locator('#explorer').isVisible()).toBe(false);
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe('rgb(254, 254, 254)');
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000);
    await page.context().close();
  });
});

test('hostile texts in every place run nothing, leave nothing, and are shown as text', async () => {
  const text = (at: number): string => hostileTexts[at % hostileTexts.length]!;
  let models = 0;
  let rows = 0;
  const input = await scoredRun({
    models: 9,
    samplesPerTask: hostileTexts.length,
    mapModel: (model) => ({
      ...model,
      key: `${text(models * 3)}${models}`,
      title: text(models),
      reference: text(models + 1),
      facts: { ...model.facts, file: text(models++), licence: text(models) },
    }),
    mapRow: (row) => ({
      ...row,
      instruction: text(rows++),
      raw: text(rows),
      prediction: row.prediction === null ? null : text(rows),
      reasoning: text(rows),
      category: text(rows),
      warnings: [text(rows)],
    }),
  });
  const records = input.records.map((record) => ({
    ...record,
    name: text(0),
    command: text(1),
    notes: [...hostileTexts],
    tasks: record.tasks.map((task, at) => ({
      ...task,
      title: text(at),
      dataset: { ...task.dataset, name: text(at + 2), notes: [text(at)] },
    })),
  }));
  const url = await pageFile({ records, rows: input.rows }, 'hostile.html');
  for (const javaScriptEnabled of [true, false]) {
    const { page, faults } = await open(url, { javaScriptEnabled });
    if (javaScriptEnabled) {
      await scrollThrough(page);
      const options = page.locator('.option');
      for (let at = 0; at < Math.min(20, await options.count()); at++) await options.nth(at).click();
      for (const title of await page.locator('th button:visible').all()) await title.click();
      await page.locator('[data-chart]').first().hover();
      expect(await page.evaluate(() => (globalThis as { __x?: unknown }).__x ?? null)).toBeNull();
      expect(await page.locator('.detail').innerText()).toMatch(/<|__x|gnp|cmd|constructor|a\|b/);
    }
    expect(await page.locator('body').innerText()).toContain('<script>window.__x=1</script>');
    expect(await page.locator('img, iframe, object, embed, link, base, math').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  }
});

test('ten thousand samples open in under two seconds', async () => {
  const input = await scoredRun({ models: 1, samplesPerTask: 2500 });
  const url = await pageFile(input, 'large.html');
  const times: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const { page, faults } = await open(url);
    times.push(await page.evaluate(() => performance.getEntriesByName('samples-shown')[0]!.startTime));
    expect(await page.locator('#explorer .count').innerText()).toBe('10,000 of 10,000 questions');
    expect(await page.locator('.option').count()).toBeLessThan(40);
    expect(faults).toEqual([]);
    await page.context().close();
  }
  // The quickest of three: the machine of the test may be busy with other things.
  expect(Math.min(...times)).toBeLessThan(2000);
});
