// The configurations behind the outside values of scripts/golden/text-overlap.py, and the comparison with ours.
import { bleuFromStatistics, bleuSignature, bleuStatistics, corpusBleu } from '../../src/metrics/text/bleu.ts';
import { chrfFromStatistics, chrfSignature, chrfStatistics, sentenceChrf } from '../../src/metrics/text/chrf.ts';
import { rouge, rougeKinds } from '../../src/metrics/text/rouge.ts';

const bleuConfigs = {
  ...Object.fromEntries(['13a', 'intl', 'char', 'zh', 'none'].map((tokenizer) => [tokenizer, { tokenizer, effectiveOrder: true }])),
  floor: { smoothing: 'floor', effectiveOrder: true },
  'add-k': { smoothing: 'add-k', effectiveOrder: true },
  unsmoothed: { smoothing: 'none' },
  lower: { lowercase: true },
  order2: { maxOrder: 2, smoothing: 'floor', smoothingValue: 0.5 },
};
const chrfConfigs = {
  chrf: {},
  'chrf++': { wordOrder: 2 },
  eps: { wordOrder: 2, epsSmoothing: true },
  space: { whitespace: true, lowercase: true },
  beta1: { beta: 1, charOrder: 4, wordOrder: 1 },
};

/** @returns {{compared: number, worst: number, failures: object[]}} */
export function compareOverlap(golden) {
  let compared = 0;
  let worst = 0;
  const failures = [];
  const check = (what, ours, theirs, row) => {
    compared++;
    const difference = Math.abs(ours - theirs);
    worst = Math.max(worst, difference);
    if (!(difference <= 1e-9 * Math.max(1, Math.abs(theirs)))) failures.push({ what, ours, theirs, row });
  };
  for (const row of golden.rows) {
    for (const [variant, values] of Object.entries(row.rouge)) {
      const ours = rouge(row.prediction, row.references[0], rougeKinds, { stemmer: variant === 'stemmed' });
      for (const kind of rougeKinds) {
        const { precision, recall, f1 } = ours[kind];
        [precision, recall, f1].forEach((value, index) => {
          check(`${kind} ${variant} ${index}`, value, values[kind][index], row);
        });
      }
    }
    for (const [name, options] of Object.entries(bleuConfigs)) {
      check(
        `bleu ${name}`,
        bleuFromStatistics(bleuStatistics(row.prediction, row.references, options), options).score,
        row.bleu[name],
        row,
      );
    }
    for (const [name, options] of Object.entries(chrfConfigs)) {
      check(`chrf ${name}`, sentenceChrf(row.prediction, row.references, options), row.chrf[name], row);
    }
  }
  const hypotheses = golden.rows.map((row) => row.prediction);
  const references = golden.rows.map((row) => row.references);
  for (const [name, configured] of Object.entries(bleuConfigs)) {
    const options = { ...configured, effectiveOrder: false };
    check(`corpus bleu ${name}`, corpusBleu(hypotheses, references, options).score, golden.corpus.bleu[name].score);
    checkSignature(bleuSignature('var', options), golden.corpus.bleu[name].signature, failures);
  }
  for (const [name, options] of Object.entries(chrfConfigs)) {
    const sums = [];
    hypotheses.forEach((hypothesis, row) => {
      chrfStatistics(hypothesis, references[row], options).forEach((value, index) => {
        sums[index] = (sums[index] ?? 0) + value;
      });
    });
    check(`corpus chrf ${name}`, chrfFromStatistics(sums, options), golden.corpus.chrf[name].score);
    checkSignature(chrfSignature('var', options), golden.corpus.chrf[name].signature, failures);
  }
  return { compared, worst, failures };
}

function checkSignature(ours, theirs, failures) {
  if (ours !== theirs) failures.push({ what: 'signature', ours, theirs });
}
