// `npm test`: static gates, then the projects `unit` and `system`; closes with one plain line `N passed, N failed` for machines that read logs.
// Arguments are handed to vitest instead: `npm test -- --project unit src/stats`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareTests } from './prepare-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'slmbench-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };

function node(script, args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

function count(ok) {
  if (ok) total.passed++;
  else total.failed++;
}

/** A file that fails before its first test counts as one failure. */
function countFile(file) {
  if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) total.failed++;
  for (const test of file.assertionResults) {
    if (test.status !== 'skipped' && test.status !== 'pending' && test.status !== 'todo') continue;
    total.skipped++;
    process.stdout.write(`skipped: ${test.fullName}\n`);
  }
}

function vitest(args, index) {
  const report = join(folder, `vitest-${index}.json`);
  const before = total.failed;
  const ranWell = node('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  try {
    const summary = JSON.parse(readFileSync(report, 'utf8'));
    total.passed += summary.numPassedTests;
    total.failed += summary.numFailedTests;
    for (const file of summary.testResults) countFile(file);
  } catch (error) {
    process.stdout.write(`no test report: ${error.message}\n`);
    total.failed++;
  }
  if (!ranWell && total.failed === before) total.failed++;
}

count(node('scripts/build.mjs', []));
const given = process.argv.slice(2);
if (given.length === 0) count(node('scripts/check.mjs', []));
Object.assign(process.env, prepareTests());
const runs =
  given.length > 0
    ? [given]
    : [
        ['--project', 'unit'],
        ['--project', 'system'],
      ];
for (const [index, args] of runs.entries()) vitest(args, index);
if (process.env.SLMBENCH_REQUIRE_ALL === '1' && total.skipped > 0) {
  process.stdout.write(`SLMBENCH_REQUIRE_ALL=1: ${total.skipped} skipped tests count as failures\n`);
  total.failed += total.skipped;
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
