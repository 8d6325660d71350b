// Runs the benchmarks that need nothing but this package, one after the other: `npm run bench`, or `npm run bench -- startup runner`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true })
  .filter((name) => /\.(mjs|ts)$/.test(name) && !name.includes('.cache') && name !== 'run.mjs')
  .sort();
const chosen = files.filter((name) => (wanted.length === 0 ? !name.includes('/') : wanted.some((part) => name.includes(part))));
if (chosen.length === 0) {
  process.stdout.write(`no such benchmark; there are: ${files.join(', ')}\n`);
  process.exitCode = 2;
}
for (const name of chosen) {
  process.stdout.write(`== ${name}\n`);
  const { status } = spawnSync(process.execPath, [`${folder}${name}`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
