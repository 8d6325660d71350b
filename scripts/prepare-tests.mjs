// Gets what the system tests run on, each once into the cache: a real small model always (94 MB); a real llama-server (minutes of
// compiling) only where every test must run (SLMBENCH_REQUIRE_ALL=1, as in CI). What cannot be had is said, and its tests say why they skip.
// The heavy tests' training environment (4.6 GB) is made by `slmbench setup training`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function cli(args, timeoutMs) {
  return spawnSync(process.execPath, ['bin/slmbench.js', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: timeoutMs,
  });
}

function pullModel() {
  if (process.env.SLMBENCH_TEST_MODEL) return process.env.SLMBENCH_TEST_MODEL;
  const { status, stdout } = cli(['pull', 'smollm2-135m', '--json', '-q'], 600_000);
  if (status !== 0) return undefined;
  return JSON.parse(stdout)[0].path;
}

/** Environment variables for the tests. */
export function prepareTests() {
  const everything = process.env.SLMBENCH_REQUIRE_ALL === '1';
  const added = {};
  const model = pullModel();
  if (model === undefined) process.stdout.write('prepare: no source serves the test model; its tests skip\n');
  else added.SLMBENCH_TEST_MODEL = model;
  if (everything) added.SLMBENCH_TEST_SERVERS = 'build';
  return added;
}
