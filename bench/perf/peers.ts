// CPU of a whole run of N requests through this client, aiperf and guidellm, against the same mock in the same minutes: ratios, not absolutes.
// Usage: node bench/perf/peers.ts VENV [requests]   (VENV: python -m venv VENV && VENV/bin/pip install aiperf guidellm)
// A peer that cannot run here (no tokenizer without a hub, say) is listed with what it said.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startMockServer } from '../../src/app/perf/mock/start-mock-server.ts';

const run = promisify(execFile);
const [venv, count = '500'] = process.argv.slice(2);
if (venv === undefined) throw new Error('usage: node bench/perf/peers.ts VENV [requests]');
const requests = Number(count);
const users = 32;
const folder = mkdtempSync(join(tmpdir(), 'slmbench-peers-'));

/** CPU seconds of a command and all the processes that it waited for. */
const timed = `
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"code": done.returncode, "cpuSeconds": used.ru_utime + used.ru_stime, "maxRssMiB": used.ru_maxrss / 1024, "said": (done.stdout + done.stderr)[-600:]}))
`;

interface Timed {
  readonly code: number;
  readonly cpuSeconds: number;
  readonly maxRssMiB: number;
  readonly said: string;
}

async function cpuOf(command: string, args: readonly string[]): Promise<Timed> {
  const environment = { ...process.env, HF_HUB_OFFLINE: '1' };
  const { stdout } = await run('python3', ['-c', timed, command, ...args], {
    cwd: folder,
    env: environment,
    timeout: 400_000,
    maxBuffer: 1e7,
  });
  return JSON.parse(stdout) as Timed;
}

const mock = await startMockServer();
try {
  await mock.shape({ chunks: 64, firstMs: 0, gapMs: 0 });
  const base = mock.url.replace(/\/v1$/, '');
  const prompts = join(folder, 'prompts.jsonl');
  writeFileSync(
    prompts,
    Array.from({ length: requests }, (_, index) => JSON.stringify({ text: `prompt ${index}`, prompt: `prompt ${index}` })).join('\n'),
  );
  const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
  const load = [
    '--users',
    String(users),
    '-n',
    String(requests),
    '--no-engine',
    '--warm-up',
    '0',
    '--text',
    'questions',
    '--output-tokens',
    '64',
    '-q',
    '--json',
  ];
  const commands: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    slmbench: [process.execPath, [bin, 'perf', '-m', `openai:mock@${mock.url}`, ...load, '-o', folder]],
    aiperf: [
      join(venv, 'bin', 'aiperf'),
      [
        'profile',
        '-m',
        'mock',
        '--url',
        base,
        '--endpoint-type',
        'chat',
        '--streaming',
        '--concurrency',
        String(users),
        '--request-count',
        String(requests),
        '--input-file',
        prompts,
        '--custom-dataset-type',
        'single_turn',
        '--use-server-token-count',
        '--tokenizer',
        'builtin',
        '--ui',
        'none',
      ],
    ],
    guidellm: [
      join(venv, 'bin', 'guidellm'),
      [
        'benchmark',
        'run',
        '--target',
        base,
        '--model',
        'mock',
        '--profile',
        'concurrent',
        '--rate',
        String(users),
        '--max-requests',
        String(requests),
        '--data',
        prompts,
        '--disable-console-interactive',
      ],
    ],
  };
  const results: Record<string, Timed | string> = {};
  for (const [name, [command, args]] of Object.entries(commands)) {
    results[name] = existsSync(command) ? await cpuOf(command, args).catch((error: unknown) => String(error)) : 'not installed';
  }
  const own = results['slmbench'];
  const ratios = Object.fromEntries(
    Object.entries(results).flatMap(([name, result]) =>
      typeof own === 'object' && typeof result === 'object' && result.code === 0 && name !== 'slmbench'
        ? [[name, own.cpuSeconds / result.cpuSeconds]]
        : [],
    ),
  );
  process.stdout.write(
    `${JSON.stringify({ requests, users, results, cpuRatio: ratios, goals: { aiperf: 0.15, guidellm: 0.07 } }, null, 2)}\n`,
  );
} finally {
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
}
