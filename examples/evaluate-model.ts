// Evaluates a model on a built-in suite and reads the record. Run: node examples/evaluate-model.ts [model]
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from 'slmbench';

const model = process.argv[2] ?? 'toy';
const runsFolder = await mkdtemp(join(tmpdir(), 'slmbench-example-'));

const { record, folder } = await evaluate({
  models: [model],
  tasks: ['commonsense-mini'],
  settings: { samples: 8, threads: 1 },
  runsFolder,
});

for (const result of record.results) {
  const { primary } = result;
  console.log(`${result.model} on ${result.task}: ${primary?.name} ${primary?.value} of n ${primary?.n}`);
}
console.log(`record in ${folder}`);
