// Compares ROUGE, BLEU and chrF with rouge-score and sacreBLEU on fuzzed pairs, then times both in the same run.
// Usage: node bench/metrics/text-parity.mjs [pairs=5000]   with PYTHON naming an interpreter that has rouge-score and sacrebleu.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sentenceBleu } from '../../src/metrics/text/bleu.ts';
import { sentenceChrf } from '../../src/metrics/text/chrf.ts';
import { rouge } from '../../src/metrics/text/rouge.ts';
import { compareOverlap } from './text-overlap-check.mjs';

const script = new URL('../../scripts/golden/text-overlap.py', import.meta.url).pathname;
const python = process.env.PYTHON ?? 'python3';
const count = Number(process.argv[2] ?? 5000);
const runPython = (...args) => JSON.parse(execFileSync(python, [script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 }));

const golden = runPython(String(count), '20261130');
const { compared, worst, failures } = compareOverlap(golden);
console.log(`${compared} values of ${count} pairs, largest difference ${worst.toExponential(2)}, above 1e-9: ${failures.length}`);
for (const failure of failures.slice(0, 20)) console.log(JSON.stringify(failure));
if (failures.length > 0) process.exitCode = 1;

// 60-word pairs, the size of a summary; the same file goes to both sides.
let state = 1;
const random = (limit) => (state = (Math.imul(state, 48271) >>> 0) % 2147483647) % limit;
const lexicon = Array.from(
  { length: 2000 },
  (_, index) =>
    `${['run', 'cat', 'relation', 'hope', 'oper'][index % 5]}${'abcdefghij'[index % 10]}${['s', 'ing', 'ation', 'ed', ''][random(5)]}`,
);
const pairs = Array.from({ length: 2000 }, () => {
  const reference = Array.from({ length: 60 }, () => lexicon[random(lexicon.length)]);
  const prediction = reference.map((word) => (random(3) === 0 ? lexicon[random(lexicon.length)] : word));
  return { prediction: `${prediction.join(' ')}.`, references: [`${reference.join(' ')}.`] };
});
const kinds = ['rouge1', 'rouge2', 'rougeL'];
const scorers = {
  rouge: (p, r) => rouge(p, r, kinds),
  'rouge-stemmed': (p, r) => rouge(p, r, kinds, { stemmer: true }),
  bleu: (p, r) => sentenceBleu(p, [r]),
  chrf: (p, r) => sentenceChrf(p, [r]),
  'chrf++': (p, r) => sentenceChrf(p, [r], { wordOrder: 2 }),
};
const folder = mkdtempSync(join(tmpdir(), 'text-parity-'));
try {
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  const theirs = runPython('--time', join(folder, 'pairs.json'));
  for (const [name, score] of Object.entries(scorers)) {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      for (const { prediction, references } of pairs) score(prediction, references[0]);
      best = Math.min(best, performance.now() - started);
    }
    const ratio = (theirs[name] * 1000) / best;
    console.log(
      `${name}: ${Math.round((pairs.length / best) * 1000)} pairs/s, Python ${Math.round(pairs.length / theirs[name])} pairs/s, ratio ${ratio.toFixed(1)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
