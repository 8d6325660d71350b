// The static gates in one command: types, lint and format, layer rules with the module count, dead code, schema freshness.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = [
  ['types', 'node_modules/@typescript/native/bin/tsc', ['-p', 'tsconfig.json']],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['layer rules', 'scripts/layers.mjs', []],
  ['schemas', 'scripts/schema.mjs', ['--check']],
  ['dead code', 'node_modules/knip/bin/knip.js', ['--no-progress']],
];
let failed = 0;
for (const [name, script, args] of steps) {
  const started = performance.now();
  const result = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  const ok = result.status === 0;
  if (!ok) failed++;
  process.stdout.write(`check: ${ok ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
