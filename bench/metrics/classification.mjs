// Classification report over 100,000 string labels against scikit-learn in the same run: CPU seconds, ratio, and equal numbers.
// Run: node bench/metrics/classification.mjs   (SLMBENCH_BENCH_PYTHON names a Python with scikit-learn; default python3)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classificationReport } from '../../src/metrics/classification-report.ts';
import { computeMetrics } from '../../src/metrics/compute-metrics.ts';
import { predictionRow } from '../../src/metrics/prediction-row.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { createRandom } from '../../src/stats/random.ts';

const rows = 100_000;
const labels = ['negative', 'neutral', 'positive'];
const goal = 10;

function columns() {
  const random = createRandom(1, 'bench');
  const gold = Array.from({ length: rows }, () => labels[random.below(3)]);
  const predicted = gold.map((label) => (random.next() < 0.8 ? label : [...labels, 'archive'][random.below(4)]));
  // Through JSON, so that both sides read fresh strings as they would from a file.
  return JSON.stringify({ gold, predicted, labels });
}

function cpuMs(work) {
  const start = process.cpuUsage();
  work();
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1000;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

const python = `
import json, sys, time
from sklearn.metrics import classification_report
data = json.load(open(sys.argv[1]))
times = []
for _ in range(5):
    start = time.process_time()
    report = classification_report(data["gold"], data["predicted"], labels=data["labels"], zero_division=0, output_dict=True)
    times.append(time.process_time() - start)
print(json.dumps({"ms": 1000 * sorted(times)[2], "macro": report["macro avg"]["f1-score"]}))
`;

const folder = mkdtempSync(join(tmpdir(), 'slmbench-bench-'));
try {
  const file = join(folder, 'labels.json');
  writeFileSync(file, columns());
  const ours = [];
  let macro = 0;
  for (let round = 0; round < 5; round++) {
    const { gold, predicted } = JSON.parse(readFileSync(file, 'utf8'));
    ours.push(cpuMs(() => (macro = classificationReport(gold, predicted, { labels }).averages.macro.f1)));
  }
  const { gold, predicted } = JSON.parse(readFileSync(file, 'utf8'));
  const predictions = gold.map((label, index) => predictionRow({ id: `${index}`, label, prediction: predicted[index] }));
  const full = cpuMs(() => computeMetrics(predictions, [{ name: 'accuracy' }, { name: 'f1' }], { seed: 1, labels }));
  process.stdout.write(`slmbench report   ${median(ours).toFixed(1)} ms CPU (first round ${ours[0].toFixed(1)})\n`);
  process.stdout.write(`slmbench accuracy and f1 from rows with intervals (2,000 resamples)   ${full.toFixed(1)} ms CPU\n`);
  const items = Float64Array.from({ length: 1000 }, (_, index) => (index * 7919) % 2);
  process.stdout.write(`bootstrap 10,000 x 1,000   ${cpuMs(() => bootstrapMean(items, { seed: 1 })).toFixed(0)} ms CPU (goal 250)\n`);

  const peer = spawnSync(process.env.SLMBENCH_BENCH_PYTHON ?? 'python3', ['-c', python, file], { encoding: 'utf8' });
  if (peer.status !== 0) {
    process.stdout.write(`scikit-learn did not run: ${peer.stderr?.trim().split('\n').at(-1) ?? peer.error}\n`);
    process.exitCode = 1;
  } else {
    const reference = JSON.parse(peer.stdout);
    const ratio = reference.ms / median(ours);
    process.stdout.write(`scikit-learn      ${reference.ms.toFixed(1)} ms CPU\nratio             ${ratio.toFixed(1)}x (goal ${goal}x)\n`);
    if (Math.abs(reference.macro - macro) > 1e-12) throw new Error(`macro F1 differs: ${macro} against ${reference.macro}`);
    if (ratio < goal) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
