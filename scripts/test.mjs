// `npm test`: static gates, then every test; closes with one plain line `N passed, N failed` for machines that read logs.
// Arguments are handed to vitest (`npm test -- --project unit src/stats`); without any, the projects `unit` and `system` run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareTests } from './prepare-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'slmbench-test-'));
const report = join(folder, 'vitest.json');
const chosen = process.argv.length > 2 ? process.argv.slice(2) : ['--project', 'unit', '--project', 'system'];
let passed = 0;
let failed = 0;
let skipped = 0;

function node(script, args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}
function count(ok) {
  if (ok) passed++;
  else failed++;
}

count(node('scripts/build.mjs', []));
if (process.argv.length === 2) count(node('scripts/check.mjs', []));
Object.assign(process.env, prepareTests());
const ranWell = node('node_modules/vitest/vitest.mjs', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...chosen,
]);
try {
  const summary = JSON.parse(readFileSync(report, 'utf8'));
  passed += summary.numPassedTests;
  failed += summary.numFailedTests;
  for (const file of summary.testResults) {
    if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) failed++;
    for (const test of file.assertionResults) {
      if (test.status === 'skipped' || test.status === 'pending' || test.status === 'todo') {
        skipped++;
        process.stdout.write(`skipped: ${test.fullName}\n`);
      }
    }
  }
} catch (error) {
  process.stdout.write(`no test report: ${error.message}\n`);
  failed++;
}
if (!ranWell && failed === 0) failed++;
if (process.env.SLMBENCH_REQUIRE_ALL === '1' && skipped > 0) {
  process.stdout.write(`SLMBENCH_REQUIRE_ALL=1: ${skipped} skipped tests count as failures\n`);
  failed += skipped;
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
