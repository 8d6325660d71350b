// Multiple-choice scoring against llama-perplexity and against the naive way (each choice from scratch), in one run, one thread.
// Goals: at least 0.95 of llama-perplexity's items per CPU second, at least 3 times the naive way, computed <= 1.05 unique tokens.
// usage: SLMBENCH_TEST_MODEL=model.gguf node bench/llama/multiple-choice.ts [items] [rounds]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../src/core/ports/backend.ts';
import { buildPeers } from './build-peers.ts';
import { cpuSecondsOf, timeCommand } from './cpu-time.ts';
import { hellaswagFile, makeItems, type SpeedItem } from './items.ts';
import { openSpeedModel, speedModelPath } from './speed-model.ts';

const count = Number(process.argv[2] ?? 60);
const rounds = Number(process.argv[3] ?? 3);

/** Items that are not counted: loading and first use are left out on all sides. */
const warmUp = 4;

interface Rate {
  readonly cpuSecondsPerItem: number;
  readonly wallSecondsPerItem: number;
}

/** CPU of the engine and of this process, per item. */
async function measure(backend: Backend, items: number, work: () => Promise<unknown>): Promise<Rate> {
  const [engineId] = backend.processIds();
  const before = { engine: cpuSecondsOf(engineId!), own: process.cpuUsage(), wall: performance.now() };
  await work();
  const own = process.cpuUsage(before.own);
  const cpuSeconds = cpuSecondsOf(engineId!) - before.engine + (own.user + own.system) / 1e6;
  return { cpuSecondsPerItem: cpuSeconds / items, wallSecondsPerItem: (performance.now() - before.wall) / 1000 / items };
}

async function measureOurs(items: readonly SpeedItem[]): Promise<Rate & { readonly computedPerItem: number }> {
  const backend = await openSpeedModel();
  let computed = 0;
  const ask = async ({ context, choices }: SpeedItem) => {
    const result = await backend.score({
      prompt: { kind: 'text', text: context },
      choices: choices.map((choice) => ({ continuation: ` ${choice}` })),
    });
    computed += result.usage.computedTokens ?? 0;
  };
  const measured = items.slice(warmUp);
  await Promise.all(items.slice(0, warmUp).map(ask));
  computed = 0;
  const rate = await measure(backend, measured.length, () => Promise.all(measured.map(ask)));
  await backend.close();
  return { ...rate, computedPerItem: computed / measured.length };
}

async function measureNaive(items: readonly SpeedItem[]): Promise<Rate> {
  const backend = await openSpeedModel({ deterministic: true });
  const ask = async ({ context, choices }: SpeedItem) => {
    for (const choice of choices) {
      await backend.score({ prompt: { kind: 'text', text: context }, choices: [{ continuation: ` ${choice}` }] });
    }
  };
  await ask(items[0]!);
  const measured = items.slice(1);
  const rate = await measure(backend, measured.length, async () => {
    for (const item of measured) await ask(item);
  });
  await backend.close();
  return rate;
}

/** Marginal cost: the difference of a long and a short run leaves out loading. */
function measurePeer(perplexity: string, folder: string, items: readonly SpeedItem[]): Rate {
  const run = (part: readonly SpeedItem[]) => {
    const file = join(folder, `items-${part.length}.txt`);
    writeFileSync(file, hellaswagFile(part));
    return timeCommand(perplexity, [
      '-m',
      speedModelPath(),
      '-f',
      file,
      '--hellaswag',
      '--hellaswag-tasks',
      String(part.length),
      '-t',
      '1',
    ]);
  };
  const [short, long] = [run(items.slice(0, warmUp)), run(items)];
  const more = items.length - warmUp;
  return {
    cpuSecondsPerItem: (long.cpuSeconds - short.cpuSeconds) / more,
    wallSecondsPerItem: (long.wallSeconds - short.wallSeconds) / more,
  };
}

const best = (rates: readonly Rate[]) => Math.min(...rates.map(({ cpuSecondsPerItem }) => cpuSecondsPerItem));
const show = (name: string, rates: readonly Rate[]) =>
  process.stdout.write(
    `${name.padEnd(22)} CPU s/item ${rates.map((rate) => rate.cpuSecondsPerItem.toFixed(3)).join(' ')}   wall s/item ${rates.map((rate) => rate.wallSecondsPerItem.toFixed(3)).join(' ')}\n`,
  );

const { perplexity } = buildPeers();
const folder = mkdtempSync(join(tmpdir(), 'slmbench-speed-'));
const items = makeItems(count);
const ours: (Rate & { computedPerItem: number })[] = [];
const peer: Rate[] = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await measureOurs(items));
  peer.push(measurePeer(perplexity, folder, items));
}
const naive = [await measureNaive(items.slice(0, Math.max(2, Math.floor(count / 4))))];
rmSync(folder, { recursive: true, force: true });
show('slmbench', ours);
show('llama-perplexity', peer);
show('naive (own engine)', naive);
process.stdout.write(`computed tokens per item: ${ours[0]!.computedPerItem.toFixed(1)}\n`);
process.stdout.write(`items per CPU second, slmbench / llama-perplexity: ${(best(peer) / best(ours)).toFixed(2)} (goal 0.95)\n`);
process.stdout.write(`items per CPU second, slmbench / naive: ${(best(naive) / best(ours)).toFixed(2)} (goal 3)\n`);
