// The viewer while a real run goes on: numbers that move without a reload, partial intervals, a restart of the viewer in between.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate } from '../../src/app/evaluate.ts';
import { startViewer } from '../../src/web/server/start-viewer.ts';
import { realModelPath } from './llama-fixtures.ts';
import {
  buildClient,
  makeRun,
  openBrowser,
  openPage,
  openTestLibrary,
  startTestViewer,
  temporaryFolder,
  until,
} from './viewer-fixtures.ts';

let client = '';
let browser: Browser;
beforeAll(async () => {
  client = buildClient();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const doneSoFar = 'Number(document.querySelector("[data-testid=done]")?.textContent.replace(",", "") ?? 0)';

it('follows a run from its first sample to its record, also across a restart of the viewer', async () => {
  const runsFolder = temporaryFolder('live');
  let viewer = await startTestViewer(runsFolder, client);
  const { port } = viewer;
  const { page, problems } = await openPage(browser, `http://127.0.0.1:${port}`);
  await page.goto(viewer.url);
  await page.getByText('No runs yet.').waitFor();

  const running = makeRun({ runsFolder, samples: 300, latencyMs: 120, concurrency: 2 });
  // The list shows the new run without a reload.
  await page.locator('tbody .mark-live').waitFor();
  await page.locator('tbody a[data-open]').click();
  await until(page, `${doneSoFar} > 5`);
  const first = (await page.evaluate(doneSoFar)) as number;
  await until(page, `${doneSoFar} > ${first}`);
  // A score so far with its interval stands in the first row.
  await until(page, '/\\d+\\.\\d %.*\\d+\\.\\d – \\d+\\.\\d/.test(document.querySelector("[data-testid=results] tbody tr").textContent)');
  expect(problems).toEqual([]);

  await viewer.close();
  await page.locator('.banner').waitFor();
  viewer = await startViewer({ library: await openTestLibrary(runsFolder), port, clientFolder: client });
  // A browser reports the closed event stream; nothing else may be wrong.
  expect(problems.filter((problem) => !/ERR_CONNECTION|ERR_INCOMPLETE|Failed to load resource/.test(problem))).toEqual([]);
  problems.length = 0;
  await page.goto(viewer.url);
  await page.locator('tbody a[data-open]').click();
  await until(page, `${doneSoFar} > ${first} || document.querySelector(".mark-good")`);

  const run = await running;
  await page.locator('h1 + .mark-good').waitFor();
  // The finished page shows the record's numbers.
  const detail = await (await openTestLibrary(runsFolder)).runDetail(run.id);
  const shown = (await page.locator('[data-testid=results] tbody tr').first().textContent())!;
  expect(shown).toContain(`${(detail.record!.results[0]!.primary!.value! * 100).toFixed(1)} %`);
  expect(detail.progress.every((one) => one.done === one.total)).toBe(true);
  expect(problems).toEqual([]);
  await viewer.close();
});

it('shows the last partial value equal to the value of the record', async () => {
  const runsFolder = temporaryFolder('partial');
  const library = await openTestLibrary(runsFolder);
  const events: { done: number | null }[] = [];
  const stop = library.watch((event) => event.kind === 'run' && events.push(event));
  const stopping = new AbortController();
  const running = makeRun({ runsFolder, samples: 600, latencyMs: 40, concurrency: 4, signal: stopping.signal });
  while (!events.some(({ done }) => (done ?? 0) > 10)) await new Promise((resolve) => setTimeout(resolve, 50));
  stopping.abort();
  const { id } = await running;
  stop();
  const detail = await library.runDetail(id);
  expect(detail.run.state).toBe('partial');
  expect(detail.run.done).toBeLessThan(detail.run.total!);
  for (const result of detail.record!.results) {
    const live = detail.progress.find((one) => one.model === result.model)!;
    expect(live.done).toBe(result.counts.total - result.counts.missing);
    if (live.done === 0) continue;
    expect(live.primary).toMatchObject({ value: result.primary!.value, n: result.primary!.n });
  }
  expect(events.every((event) => Object.keys(event).sort().join() === 'done,id,kind,state,total')).toBe(true);
});

const smollm = realModelPath();

it.skipIf(smollm === undefined)('follows a real model', async () => {
  const runsFolder = temporaryFolder('smollm');
  const viewer = await startTestViewer(runsFolder, client);
  const { page, problems } = await openPage(browser, `http://127.0.0.1:${viewer.port}`);
  await page.goto(viewer.url);
  const running = evaluate({
    models: [smollm!],
    tasks: ['sentiment-mini'],
    runsFolder,
    settings: { samples: 30, profile: false, threads: 1 },
    offline: true,
  });
  await page.locator('tbody .mark-live').waitFor();
  await page.locator('tbody a[data-open]').click();
  await until(page, `${doneSoFar} > 1`);
  const { record } = await running;
  await page.locator('h1 + .mark-good').waitFor();
  const shown = (await page.locator('[data-testid=results] tbody tr').first().textContent())!;
  expect(shown).toContain(`${(record.results[0]!.primary!.value! * 100).toFixed(1)} %`);
  expect(problems).toEqual([]);
  await viewer.close();
});
