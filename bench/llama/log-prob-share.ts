// Share of an item's CPU time that reading log-probabilities takes. Goal: at most 15 % at a vocabulary of 49,152.
// usage: SLMBENCH_TEST_MODEL=model.gguf node bench/llama/log-prob-share.ts [items]
import { engineCounters } from '../../src/backends/llama/llama-backend.ts';
import { makeItems } from './items.ts';
import { openSpeedModel } from './speed-model.ts';

const items = makeItems(Number(process.argv[2] ?? 12));
const backend = await openSpeedModel();
const before = await engineCounters(backend);
const results = await Promise.all(
  items.map(({ context, choices }) =>
    backend.score({ prompt: { kind: 'text', text: context }, choices: choices.map((choice) => ({ continuation: ` ${choice}` })) }),
  ),
);
const after = await engineCounters(backend);
await backend.close();
const readCpuMs = after.readCpuMs - before.readCpuMs;
const decodeCpuMs = after.decodeCpuMs - before.decodeCpuMs;
const scored = results.reduce((sum, { choices }) => sum + choices.reduce((tokens, choice) => tokens + choice.tokens, 0), 0);
process.stdout.write(
  `${items.length} items, ${scored} scored tokens, vocabulary ${backend.model.vocabularySize}: read ${readCpuMs.toFixed(0)} CPU ms, decode ${decodeCpuMs.toFixed(0)} ms\n` +
    `share of reading: ${((100 * readCpuMs) / (readCpuMs + decodeCpuMs)).toFixed(1)} % (goal 15 %), ${(readCpuMs / scored).toFixed(3)} ms a token (goal 0.6)\n`,
);
