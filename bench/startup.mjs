// CPU of `--help` and `list` against an empty Node process, in one run. Goal: at most 2x.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/slmbench.js', import.meta.url));
const runs = Number(process.argv[2] ?? 15);

/** CPU seconds of finished children so far, from the parent's own accounting. */
function cpuOf(args) {
  const script = `const { spawnSync } = require('node:child_process'); spawnSync(process.execPath, ${JSON.stringify(args)}); const fs = require('node:fs');
    const f = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' '); console.log((Number(f[13]) + Number(f[14])) / 100);`;
  return Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout);
}

const cases = {
  'node -e 0': ['-e', '0'],
  '--help': [bin, '--help'],
  'list models': [bin, 'list', 'models'],
  'list tasks': [bin, 'list', 'tasks'],
  list: [bin, 'list'],
};
const totals = Object.fromEntries(Object.keys(cases).map((name) => [name, 0]));
for (const args of Object.values(cases)) cpuOf(args);
for (let run = 0; run < runs; run++) for (const [name, args] of Object.entries(cases)) totals[name] += cpuOf(args);
const floor = totals['node -e 0'] / runs;
for (const [name, total] of Object.entries(totals)) {
  process.stdout.write(
    `${name.padEnd(12)} ${((total / runs) * 1000).toFixed(0).padStart(4)} ms CPU  ${(total / runs / floor).toFixed(2)}x of an empty Node\n`,
  );
}
