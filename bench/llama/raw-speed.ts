// pp512 and tg128 of the engine beside llama-bench on the same libraries and settings, one thread, in turns.
// Goal: within 5 %. usage: SLMBENCH_TEST_MODEL=model.gguf node bench/llama/raw-speed.ts [rounds] [promptTokens] [generatedTokens]
import { buildPeers } from './build-peers.ts';
import { timeCommand } from './cpu-time.ts';
import { openSpeedModel, speedModelPath } from './speed-model.ts';

const rounds = Number(process.argv[2] ?? 6);
const promptTokens = Number(process.argv[3] ?? 512);
const generatedTokens = Number(process.argv[4] ?? 128);

interface Speeds {
  readonly prefill: number;
  readonly decode: number;
}

function measurePeer(bench: string): Speeds {
  const args = ['-m', speedModelPath(), '-t', '1', '-p', String(promptTokens), '-n', String(generatedTokens), '-r', '1', '-o', 'jsonl'];
  const { output } = timeCommand(bench, [...args, '-b', '512', '-ub', '512']);
  const rows = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { n_prompt: number; avg_ts: number });
  return { prefill: rows.find((row) => row.n_prompt > 0)!.avg_ts, decode: rows.find((row) => row.n_prompt === 0)!.avg_ts };
}

const { bench } = buildPeers();
const backend = await openSpeedModel();
const ours: Speeds[] = [];
const peer: Speeds[] = [];
for (let round = 0; round < rounds; round++) {
  const result = await backend.bench({ promptTokens, generatedTokens, depth: 0, repetitions: 1 });
  ours.push({ prefill: result.prefillTokensPerSecond[0]!, decode: result.decodeTokensPerSecond[0]! });
  peer.push(measurePeer(bench));
}
await backend.close();

/** The best of the rounds: other programs only ever slow a run down. */
const best = (speeds: readonly Speeds[], part: keyof Speeds) => Math.max(...speeds.map((speed) => speed[part]));
for (const [name, part] of [
  [`pp${promptTokens}`, 'prefill'],
  [`tg${generatedTokens}`, 'decode'],
] as const) {
  const show = (speeds: readonly Speeds[]) => speeds.map((speed) => speed[part].toFixed(1)).join(' ');
  process.stdout.write(
    `${name}: slmbench ${show(ours)}, llama-bench ${show(peer)} tok/s; ratio of the best ${(best(ours, part) / best(peer, part)).toFixed(3)} (goal 0.95)\n`,
  );
}
