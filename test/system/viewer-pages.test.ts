// Every page in a real Chromium: no console error, filters, sorting, drill-down, shared addresses, keyboard, dark, mobile,
// accessibility (axe), and a corpus of hostile texts that must stay text (O01).
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/web/server/start-viewer.ts';
import {
  buildClient,
  hostileTexts,
  type MadeRun,
  makeRun,
  openBrowser,
  openPage,
  startTestViewer,
  temporaryFolder,
  until,
  type WatchedPage,
} from './viewer-fixtures.ts';
import { writeTrainingRecord } from './viewer-training-fixture.ts';

const samples = 120;
const runsFolder = temporaryFolder('pages');
const trainingFolder = temporaryFolder('training');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let viewer: Viewer;
let browser: Browser;
let run: MadeRun;
let later: MadeRun;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  run = await makeRun({ runsFolder, samples });
  later = await makeRun({ runsFolder, samples, models: ['gamma'] });
  addMeasurements(later.folder);
  writeTrainingRecord(trainingFolder, { title: `Specialist ${hostileTexts[0]}` });
  viewer = await startTestViewer(runsFolder, buildClient(), [trainingFolder]);
  browser = await openBrowser();
  watched = await openPage(browser, `http://127.0.0.1:${viewer.port}`);
  page = watched.page;
  await page.goto(viewer.url);
});
afterAll(async () => {
  await browser?.close();
  await viewer?.close();
});
afterEach(async () => {
  expect(watched.problems.splice(0)).toEqual([]);
  expect(watched.foreign.splice(0)).toEqual([]);
  expect(await page.evaluate('window.__x')).toBeUndefined();
});

/** A quantisation block and resources over time, as `slmbench quant` and a profiled run leave them, with a hostile name. */
function addMeasurements(folder: string): void {
  const path = join(folder, 'record.json');
  const block = readFileSync(new URL('../fixtures/quantisation-block.json', import.meta.url), 'utf8');
  const quantisation: unknown = JSON.parse(
    block.replaceAll('SmolLM2-135M-Instruct.Q4_1.Q2_K', JSON.stringify(hostileTexts[0]).slice(1, -1)),
  );
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), quantisation }));
  const lines = Array.from({ length: 50 }, (_, at) =>
    JSON.stringify({ model: hostileTexts[1], atMs: at * 100, rssBytes: 1e8 + at * 1e6, cpuPercent: at }),
  );
  writeFileSync(join(folder, 'resources.jsonl'), `${lines.join('\n')}\n`);
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

const at = (hash: string): string => `http://127.0.0.1:${viewer.port}/${hash}`;
async function visit(hash: string, on: Page = page): Promise<void> {
  // From elsewhere, so that the page before cannot be taken for the one asked for.
  await on.goto('about:blank');
  await on.goto(at(hash));
  await on.locator('main h1, main .empty, main .tabs a').first().waitFor();
  await until(on, '!document.querySelector(".waiting, .stale")');
  // A reader who arrives anew has the cursor nowhere.
  await on.evaluate('document.activeElement?.blur()');
}
const cells = (column: number): Promise<string[]> => page.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();

const pages = (): Record<string, string> => ({
  runs: '#/',
  leaderboard: '#/leaderboard',
  'compare empty': '#/compare',
  compare: `#/compare?runs=${run.id},${later.id}`,
  flips: `#/compare?runs=${run.id}&baseline=alpha&flips=reviews&against=beta`,
  run: `#/runs/${run.id}`,
  speed: `#/runs/${run.id}/speed`,
  details: `#/runs/${run.id}/details`,
  quantisation: `#/runs/${later.id}/quantisation`,
  'resources over time': `#/runs/${later.id}/speed`,
  samples: `#/runs/${run.id}/samples`,
  sample: `#/runs/${run.id}/samples/5`,
  training: '#/training',
  nowhere: '#/nowhere',
});

async function violations(on: Page): Promise<string[]> {
  await on.evaluate(axeSource);
  const result = (await on.evaluate('axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)} ${nodes[0]!.failureSummary.slice(0, 200)}`);
}

describe('measurements', () => {
  it('are shown as tables and charts; only a run with quantisations offers their page', async () => {
    await visit(`#/runs/${run.id}`);
    await expect.poll(() => page.locator('nav.tabs a').allInnerTexts()).toEqual(['Overview', 'Samples', 'Speed', 'Details']);
    await visit(`#/runs/${later.id}`);
    await page.locator('nav.tabs a', { hasText: 'Quantisation' }).click();
    await expect
      .poll(() => page.locator('main h2').allInnerTexts())
      .toEqual(['Files', 'Fidelity to the reference', 'Task quality against the reference (paired)', 'What the figures rest on']);
    expect(await textOf(page.locator('main'))).toContain(hostileTexts[0]);
    await page.locator('.chart-frame svg').nth(1).waitFor();
    expect(await page.locator('.chart-frame').count()).toBe(2);
    await visit(`#/runs/${later.id}/speed`);
    await page.locator('.chart-frame svg').nth(1).waitFor();
    expect(await page.locator('.chart-frame').count()).toBe(2);
  });
});

describe('every page', () => {
  it('takes the token out of the address at the first visit', () => {
    expect(page.url()).not.toContain(viewer.token);
  });

  it('shows hostile texts as text, in light and dark, wide and narrow, without errors and with nothing for axe to find', async () => {
    for (const [name, hash] of Object.entries(pages())) {
      await visit(hash);
      expect(await violations(page), name).toEqual([]);
    }
    for (const options of [{ colorScheme: 'dark' as const }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]) {
      const other = await openPage(browser, at(''), options);
      await other.page.goto(viewer.url);
      for (const [name, hash] of Object.entries(pages())) {
        await visit(hash, other.page);
        expect(await violations(other.page), `${name} ${JSON.stringify(options)}`).toEqual([]);
        const overflow = await other.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0);
      }
      expect(other.problems).toEqual([]);
      expect(await other.page.evaluate('window.__x')).toBeUndefined();
      await other.context.close();
    }
  });

  it('follows the chosen theme and keeps it', async () => {
    await visit('#/');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.locator('.theme select').selectOption('dark');
    expect(await ground()).not.toBe(light);
    await page.reload();
    expect(await ground()).not.toBe(light);
    await page.locator('.theme select').selectOption('system');
    expect(await ground()).toBe(light);
  });
});

describe('runs', () => {
  it('are filtered by text, model and state; the filter stands in the address and survives a reload', async () => {
    await visit('#/');
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.getByLabel('Model', { exact: true }).selectOption('gamma');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    expect(page.url()).toContain('model=gamma');
    await page.reload();
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    await page.getByLabel('Search').fill('alpha');
    await page.getByText('No run matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until(page, 'document.querySelectorAll("tbody tr").length === 2');
    await page.getByLabel('Status').selectOption('complete');
    await until(page, 'document.querySelectorAll("tbody tr").length === 2');
  });

  it('are named, tagged, deleted and restored', async () => {
    await visit('#/');
    await page.getByRole('button', { name: /^Edit gamma/ }).click();
    await page.getByLabel('Name').fill('<img src=x onerror=window.__x=1>');
    await page.getByLabel('Tags, with commas').fill('"><svg onload=window.__x=1>, q4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '<img src=x' }).waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('q4');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    await page.getByRole('button', { name: /^Edit <img/ }).click();
    await page.getByRole('button', { name: 'Delete run' }).click();
    await page.getByText('No run matches.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    await page.getByRole('button', { name: /^Edit <img/ }).click();
    await page.getByLabel('Name').fill('');
    await page.getByLabel('Tags, with commas').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No run matches.').waitFor();
  });

  it('lead by choosing two of them to their comparison', async () => {
    await visit('#/');
    for (const box of await page.locator('tbody input[type=checkbox]').all()) await box.check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).click();
    await page.getByText('Paired on the same items').waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(3);
  });
});

describe('samples', () => {
  it('are filtered by outcome, category, flip and text, with counts that agree', async () => {
    await visit(`#/runs/${run.id}/samples`);
    const matching = async (): Promise<number> =>
      Number(/of ([\d,]+) samples/.exec(await textOf(page.locator('.pager')))![1]!.replace(',', ''));
    expect(await matching()).toBe(2 * samples);
    await page.getByLabel('Model', { exact: true }).selectOption('alpha');
    await until(page, `/of ${samples} samples/.test(document.querySelector('.pager').textContent)`);
    for (const outcome of ['right', 'wrong', 'invalid']) {
      const option = await textOf(page.getByLabel('Outcome').locator(`option[value=${outcome}]`));
      const count = Number(/\((\d+)\)/.exec(option)![1]);
      await page.getByLabel('Outcome').selectOption(outcome);
      await until(page, `/of ${count} samples/.test(document.querySelector('.pager').textContent)`);
      expect(new Set((await cells(1)).map((text) => text.trim().split(/\s/)[0]))).toEqual(new Set([outcome]));
    }
    await page.getByLabel('Outcome').selectOption('');
    await page.getByLabel('Category').selectOption('<i>films</i>');
    await until(page, `/of ${Math.ceil(samples / 3)} samples/.test(document.querySelector('.pager').textContent)`);
    await page.getByLabel('Category').selectOption('');
    await page.getByLabel('Flipped against').selectOption('beta');
    await until(page, `!/of ${samples} samples/.test(document.querySelector('.pager').textContent)`);
    const flips = await matching();
    expect(flips).toBeGreaterThan(0);
    await page.getByLabel('Flipped against').selectOption('');
    await page.getByLabel('Search').fill('NAÏVE 你');
    await until(page, `/of ${samples / hostileTexts.length} samples/.test(document.querySelector('.pager').textContent)`);
    expect((await cells(2)).every((text) => text.includes('naïve 你好'))).toBe(true);
    await page.getByLabel('Search').fill('no such text anywhere');
    await page.getByText('No sample matches.').waitFor();
  });

  it('are sorted by time and paged', async () => {
    await visit(`#/runs/${run.id}/samples?sort=slowest`);
    const times = async (): Promise<number[]> =>
      (await page.locator('tbody tr td:last-child').allInnerTexts()).map(
        (text) => Number.parseFloat(text) * (/\d s$/.test(text) ? 1000 : 1),
      );
    const first = await times();
    expect(first).toEqual(first.toSorted((a, b) => b - a));
    await page.keyboard.press(']');
    await until(page, '/51–100/.test(document.querySelector(".pager").textContent) && !document.querySelector(".stale")');
    const second = await times();
    expect(Math.max(...second)).toBeLessThanOrEqual(Math.min(...first));
  });

  it('open whole: question, output, rule, gold, neighbours of the filtered list', async () => {
    await visit(`#/runs/${run.id}/samples?model=alpha&outcome=invalid`);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Raw output' }).waitFor();
    const text = await textOf(page.locator('main'));
    expect(text).toContain('and nothing else');
    expect(text).toContain('out-of-set');
    expect(text).toMatch(/1 of \d+/);
    await page.keyboard.press(']');
    await page.getByText(/^2 of \d+$/).waitFor();
    await page.goBack();
    await page.getByText(/^1 of \d+$/).waitFor();
  });

  it('show what hides as signs', async () => {
    await visit(`#/runs/${run.id}/samples/8`);
    expect(await textOf(page.locator('main'))).toContain('⟨U+202E⟩gnp.exe');
    await visit(`#/runs/${run.id}/samples/9`);
    expect(await textOf(page.locator('main'))).toContain('␛[2Jcleared␇');
    await visit(`#/runs/${run.id}/samples/10`);
    expect(await page.locator('main').innerHTML()).toContain('Is 1&lt;2?');
  });
});

describe('comparison', () => {
  it('is the same for whoever opens its address, with baseline and open flips', async () => {
    await visit(`#/compare?runs=${run.id}&baseline=beta`);
    const flips = page.getByRole('button', { name: /^\+\d+ \/ −\d+$/ });
    const [, gained, lost] = /\+(\d+) \/ −(\d+)/.exec(await textOf(flips))!;
    await flips.click();
    await page.getByText(`of ${Number(gained) + Number(lost)} flips`).waitFor();
    const address = page.url();
    expect(address).toContain('baseline=beta');
    const other = await openPage(browser, at(''));
    await other.page.goto(viewer.url);
    await other.page.goto(address);
    await other.page.getByText(`of ${Number(gained) + Number(lost)} flips`).waitFor();
    expect(await textOf(other.page.locator('main'))).toBe(await textOf(page.locator('main')));
    expect(other.problems).toEqual([]);
    await other.context.close();
    await page.getByLabel('Show').selectOption('gained');
    await page.getByText(`of ${gained} flips`).waitFor();
    await page.locator('.inset a[data-open]').first().click();
    await page.getByRole('heading', { name: 'Question' }).waitFor();
  });
});

describe('leaderboard', () => {
  it('ranks models of all runs on equal test sets and sorts by each column', async () => {
    await visit('#/leaderboard');
    expect(await page.locator('section.card').count()).toBe(1);
    expect(await page.locator('tbody tr').count()).toBe(3);
    const score = async () => (await cells(3)).map((text) => Number.parseFloat(text));
    expect(await score()).toEqual((await score()).toSorted((a, b) => b - a));
    await page.getByRole('button', { name: 'Latency p50' }).click();
    await page.locator('[aria-sort=ascending]').waitFor();
    expect(page.url()).toContain('sort=latency');
    await page.getByLabel('Search').fill('gamma');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
  });
});

describe('charts', () => {
  it('draw the marks that their data has', async () => {
    await visit(`#/runs/${run.id}`);
    await page.locator('.chart-frame svg').first().waitFor();
    expect(await page.locator('.chart-frame svg').count()).toBeGreaterThanOrEqual(2);
    await page.getByText(/Confusion and reliability/).click();
    await page
      .getByRole('img', { name: /Confusion matrix of alpha/ })
      .locator('svg')
      .waitFor();
  });

  it('show loss curves of a specialised model', async () => {
    await visit('#/training');
    await page.locator('a[data-open]').first().click();
    await page
      .getByRole('img', { name: /Loss: 2 curves/ })
      .locator('svg')
      .waitFor();
    expect(await textOf(page.locator('main'))).toContain('majority');
  });
});

describe('keys', () => {
  it('reach the search, the pages and the help', async () => {
    await visit('#/');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });
});

it('keeps the record as it was', () => {
  expect(JSON.parse(readFileSync(join(run.folder, 'record.json'), 'utf8')).id).toBe(run.id);
});
