// What this client costs beside aiperf and guidellm: CPU per request and streamed event, and of a whole short run, against one mock server.
// Usage: node bench/perf/peers.ts VENV[,VENV] [small] [large]
//   (python3 -m venv A && A/bin/pip install aiperf; python3 -m venv B && B/bin/pip install guidellm; node bench/perf/peers.ts A,B)
// All figures are CPU time of the client with all its processes, so neither the mock nor other programs are in them. The cost of one
// request is the difference between a small and a large run over the difference in requests: fixed work is not spread over requests.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startMockServer } from '../../src/app/perf/mock/start-mock-server.ts';

const run = promisify(execFile);
const [environments, small = '200', large = '1700'] = process.argv.slice(2);
if (environments === undefined) throw new Error('usage: node bench/perf/peers.ts VENV[,VENV] [small] [large]');
const bins = environments.split(',').map((name) => join(resolve(name), 'bin'));
const sizes = [Number(small), Number(large)] as const;
const users = 32;
const chunks = 64;
/** Frames of an answer: its chunks, and role, finish, usage and DONE. */
const framesPerAnswer = chunks + 4;
const folder = mkdtempSync(join(tmpdir(), 'slmbench-peers-'));

interface Timed {
  readonly code: number;
  readonly cpuSeconds: number;
  /** Of the largest single process. */
  readonly maxRssMiB: number;
  readonly said: string;
}

/** Runs a command as the reaper of all its descendants, so that processes which it leaves behind are counted too. */
const timed = `
import ctypes, json, os, resource, subprocess, sys, tempfile
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
with tempfile.TemporaryFile() as out:
    code = subprocess.Popen(sys.argv[1:], stdout=out, stderr=out).wait()
    try:
        while True: os.waitpid(-1, 0)
    except ChildProcessError: pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    out.seek(0)
    said = out.read().decode("utf8", "replace")[-1500:]
print(json.dumps({"code": code, "cpuSeconds": used.ru_utime + used.ru_stime, "maxRssMiB": used.ru_maxrss / 1024, "said": said}))
`;

const hub = join(folder, 'hub-home');

async function cpuOf(command: string, args: readonly string[]): Promise<Timed> {
  const { stdout } = await run('python3', ['-c', timed, command, ...args], {
    cwd: folder,
    env: { ...process.env, HF_HOME: hub, HF_HUB_OFFLINE: '1', SLMBENCH_OFFLINE: '' },
    timeout: 400_000,
    maxBuffer: 1e7,
  });
  return JSON.parse(stdout) as Timed;
}

/** Both peers want a tokenizer even where the server counts: a tiny one, placed where they look for downloaded ones. */
async function makeTokenizer(): Promise<string> {
  const revision = '0'.repeat(40);
  const home = join(hub, 'hub', 'models--bench--words');
  const snapshot = join(home, 'snapshots', revision);
  mkdirSync(snapshot, { recursive: true });
  mkdirSync(join(home, 'refs'), { recursive: true });
  writeFileSync(join(home, 'refs', 'main'), revision);
  const script = `
import sys
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
alphabet = pre_tokenizers.ByteLevel.alphabet()
tokenizer.train_from_iterator(["word prompt"] * 9, trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, special_tokens=["<s>", "</s>"], show_progress=False))
PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>").save_pretrained(sys.argv[1])
`;
  await run(join(bins[0]!, 'python'), ['-c', script, snapshot]);
  return snapshot;
}

function installed(name: string): string | null {
  return bins.map((bin) => join(bin, name)).find((path) => existsSync(path)) ?? null;
}

type Client = (requests: number, prompts: string) => readonly string[];

interface Outcome {
  readonly cpuSecondsOfSmallRun: number;
  readonly cpuSecondsOfLargeRun: number;
  readonly cpuMicrosPerEvent: number;
  readonly requestsPerCpuSecond: number;
  readonly maxRssMiB: number;
}

async function measure(command: string, client: Client): Promise<Outcome | string> {
  const runs: Timed[] = [];
  for (const requests of sizes) {
    const prompts = join(folder, `prompts-${requests}.jsonl`);
    const lines = Array.from({ length: requests }, (_, index) => JSON.stringify({ text: `prompt ${index}` }));
    writeFileSync(prompts, lines.join('\n'));
    const timedRun = await cpuOf(command, client(requests, prompts));
    if (timedRun.code !== 0) return `exit code ${timedRun.code}: ${timedRun.said}`;
    runs.push(timedRun);
  }
  const [few, many] = runs as [Timed, Timed];
  const perRequest = (many.cpuSeconds - few.cpuSeconds) / (sizes[1] - sizes[0]);
  return {
    cpuSecondsOfSmallRun: few.cpuSeconds,
    cpuSecondsOfLargeRun: many.cpuSeconds,
    cpuMicrosPerEvent: (perRequest * 1e6) / framesPerAnswer,
    requestsPerCpuSecond: 1 / perRequest,
    maxRssMiB: many.maxRssMiB,
  };
}

function ratios(own: Outcome, peer: Outcome): Record<string, number> {
  return {
    cpuPerEvent: own.cpuMicrosPerEvent / peer.cpuMicrosPerEvent,
    requestsPerCpuSecond: own.requestsPerCpuSecond / peer.requestsPerCpuSecond,
    cpuOfSmallRun: own.cpuSecondsOfSmallRun / peer.cpuSecondsOfSmallRun,
  };
}

const mock = await startMockServer();
try {
  await mock.shape({ chunks, firstMs: 0, gapMs: 0 });
  const base = mock.url.replace(/\/v1$/, '');
  const tokenizer = await makeTokenizer();
  const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
  const own: Client = (requests) => [
    ...[bin, 'perf', '-m', `openai:mock@${mock.url}`, '--users', `${users}`, '-n', `${requests}`, '--warm-up', '0'],
    ...['--text', 'questions', '--output-tokens', `${chunks}`, '--fresh', '-q', '--json', '-o', folder],
  ];
  const aiperf: Client = (requests, prompts) => [
    ...['profile', '-m', 'mock', '--url', base, '--endpoint-type', 'chat', '--streaming', '--concurrency', `${users}`],
    ...['--request-count', `${requests}`, '--input-file', prompts, '--custom-dataset-type', 'single_turn'],
    ...['--use-server-token-count', '--tokenizer', 'bench/words', '--ui', 'none', '--artifact-dir', join(folder, `aiperf-${requests}`)],
  ];
  const guidellm: Client = (requests, prompts) => [
    'run',
    ...['--backend', `kind=openai_http,target=${base},model=mock,request_format=/v1/chat/completions,validate_backend=false`],
    ...['--profile', `kind=concurrent,streams=${users}`, '--constraint', `kind=max_requests,count=${requests}`],
    ...['--data', `kind=json_file,path=${prompts}`, '--tokenizer', `kind=huggingface_auto,model=${tokenizer}`],
    ...['--output', `kind=json,path=${join(folder, `guidellm-${requests}.json`)}`, '--disable-console'],
  ];
  const results: Record<string, Outcome | string> = { slmbench: await measure(process.execPath, own) };
  for (const [name, client] of Object.entries({ aiperf, guidellm })) {
    const command = installed(name);
    results[name] = command === null ? 'not installed' : await measure(command, client);
  }
  const mine = results['slmbench']!;
  const compared = Object.fromEntries(
    Object.entries(results).flatMap(([name, peer]) =>
      name === 'slmbench' || typeof peer === 'string' || typeof mine === 'string' ? [] : [[name, ratios(mine, peer)]],
    ),
  );
  const goals = {
    aiperf: { cpuPerEvent: 0.15, requestsPerCpuSecond: 3, cpuOfSmallRun: 0.15 },
    guidellm: { cpuPerEvent: 0.1, requestsPerCpuSecond: 4, cpuOfSmallRun: 0.07 },
  };
  process.stdout.write(`${JSON.stringify({ sizes, users, chunks, results, ratios: compared, goals }, null, 2)}\n`);
} finally {
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
}
