// The speed page of a real load test: tables, curves of the sweep, and the resource timelines that the run wrote.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildClient, openBrowser, openPage, openTestLibrary, startTestViewer, temporaryFolder, until } from './viewer-fixtures.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

it('shows load points, curves and timelines', async () => {
  const runsFolder = temporaryFolder('speed');
  const script = `import(${JSON.stringify(main)}).then(async (m) => { process.exitCode = await m.main(process.argv.slice(1)); })`;
  const flags = [
    '--users',
    '1,2',
    '--requests',
    '4',
    '--prompt-tokens',
    '16',
    '--output-tokens',
    '8',
    '--repetitions',
    '1',
    '--warm-up',
    '1',
  ];
  const run = spawnSync(
    process.execPath,
    ['-e', script, '--', 'perf', '-m', 'toy', ...flags, '--threads', '1', '--no-engine', '--offline', '-q', '-o', runsFolder],
    { encoding: 'utf8' },
  );
  expect(run.status, run.stderr).toBe(0);
  const library = await openTestLibrary(runsFolder);
  const { rows } = await library.listRuns({}, 0, 10);
  const detail = await library.runDetail(rows[0]!.id);
  expect(detail.timelines.length).toBeGreaterThan(0);

  const viewer = await startTestViewer(runsFolder, buildClient());
  const browser = await openBrowser();
  try {
    const { page, problems } = await openPage(browser, `http://127.0.0.1:${viewer.port}`);
    await page.goto(viewer.url);
    await page.locator('tbody a[data-open]').click();
    await page.getByRole('link', { name: 'Speed' }).click();
    await page.getByRole('heading', { name: 'Under load' }).waitFor();
    await until(page, 'document.querySelectorAll(".chart-frame svg").length >= 2');
    const text = (await page.locator('main').textContent())!;
    expect(text).toContain('1 user');
    expect(text).toContain('2 users');
    await page.getByRole('img', { name: /Time to first token: 1 curves/ }).waitFor();
    await page.getByRole('img', { name: /^Memory over time/ }).waitFor();
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    await viewer.close();
  }
});
