// The exported site, opened from its folder without any server: every page, search, comparison, and no way out for hostile texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportSite } from '../../src/app/view/export-site.ts';
import { readClientFiles } from '../../src/web/server/client-files.ts';
import { buildClient, type MadeRun, makeRun, openBrowser, openPage, openTestLibrary, temporaryFolder, until } from './viewer-fixtures.ts';
import { writeTrainingRecord } from './viewer-training-fixture.ts';

const samples = 260;
const runsFolder = temporaryFolder('export');
const trainingFolder = temporaryFolder('export-training');
const target = join(temporaryFolder('site'), 'site');
let browser: Browser;
let run: MadeRun;
let later: MadeRun;

beforeAll(async () => {
  run = await makeRun({ runsFolder, samples });
  later = await makeRun({ runsFolder, samples, models: ['gamma'] });
  writeTrainingRecord(trainingFolder, { title: 'Specialist' });
  const library = await openTestLibrary(runsFolder, [trainingFolder]);
  const client = readClientFiles(buildClient());
  expect(await exportSite({ library, client, target })).toMatchObject({ runs: 2, samples: 3 * samples });
  await expect(exportSite({ library, client, target })).rejects.toMatchObject({ code: 'usage' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

it('opens from the folder with all its pages and gives the numbers of the live viewer', async () => {
  const site = pathToFileURL(join(target, 'index.html')).href;
  const { page, problems, foreign } = await openPage(browser, pathToFileURL(target).href);
  const visit = async (hash: string): Promise<void> => {
    // From elsewhere, so that the page before cannot be taken for the one asked for.
    await page.goto('about:blank');
    await page.goto(site + hash);
    await page.locator('main h1, main .empty').first().waitFor();
    await until(page, '!document.querySelector(".waiting, .stale")');
  };
  await visit('#/');
  expect(await page.locator('tbody tr').count()).toBe(2);
  await visit(`#/runs/${run.id}`);
  await page.locator('.chart-frame svg').first().waitFor();
  await visit(`#/runs/${run.id}/samples?text=onerror&model=beta`);
  const expected = (await (await openTestLibrary(runsFolder)).samples(run.id, { text: 'onerror', model: 'beta', offset: 0, limit: 1 }))
    .matching;
  await page
    .getByText(`of ${expected} samples`)
    .or(page.getByText(`–${expected} of`))
    .first()
    .waitFor();
  await page.locator('tbody a[data-open]').nth(3).click();
  await page.getByRole('heading', { name: 'Raw output' }).waitFor();
  await visit(`#/compare?runs=${run.id},${later.id}&baseline=beta`);
  const live = await (await openTestLibrary(runsFolder)).compare([run.id, later.id], 'beta');
  const shown = (await page.locator('main').textContent())!;
  expect(shown).toContain(live.tasks[0]!.sentence);
  for (const result of live.tasks[0]!.results) if (result.gained !== null) expect(shown).toContain(`+${result.gained} / −${result.lost}`);
  await visit('#/leaderboard');
  expect(await page.locator('tbody tr').count()).toBe(3);
  await visit('#/training');
  await page.locator('a[data-open]').click();
  await page.getByRole('img', { name: /Loss/ }).locator('svg').waitFor();
  expect(await page.getByRole('button', { name: /Edit/ }).count()).toBe(0);
  expect(problems).toEqual([]);
  expect(foreign).toEqual([]);
  expect(await page.evaluate('window.__x')).toBeUndefined();
});

it('holds no path of this machine and has a strict policy in its page', () => {
  const page = readFileSync(join(target, 'index.html'), 'utf8');
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain('unsafe');
  for (const name of readdirSync(join(target, 'data'))) expect(readFileSync(join(target, 'data', name), 'utf8')).not.toContain(runsFolder);
});
