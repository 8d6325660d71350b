// A record of a specialised model with two loss curves and a baseline, in the folder where recipes write it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromLmtaskRecord } from '../../src/app/specialise/import-lmtask.ts';
import { type BenchmarkRecord, benchmarkRecordSchema } from '../../src/core/specialise-record.ts';

const steps = 40;

function lossCurve(): NonNullable<BenchmarkRecord['training']>['lossCurve'] {
  return Array.from({ length: steps }, (_, at) => [
    { step: at + 1, loss: 0.3 + 2 * Math.exp(-at / 8), kind: 'train' as const },
    ...(at % 8 === 7 ? [{ step: at + 1, loss: 0.4 + 1.8 * Math.exp(-at / 9), kind: 'validation' as const }] : []),
  ]).flat();
}

export function writeTrainingRecord(root: string, { title }: { readonly title: string }): void {
  const metrics = (value: number) => ({
    primary: { name: 'f1', value, average: 'macro' },
    metrics: [{ name: 'f1', value, average: 'macro' }],
    per_class: [],
    invalid_count: 0,
  });
  const base = fromLmtaskRecord({
    name: 'a',
    task_name: 'Bank',
    model_name: 'SmolLM2',
    created: '2026-11-30T00:00:00Z',
    metrics: metrics(0.91),
  });
  const weak = fromLmtaskRecord({
    name: 'b',
    task_name: 'Bank',
    model_name: 'SmolLM2',
    created: '2026-11-30T00:00:00Z',
    metrics: metrics(0.4),
  });
  const record: BenchmarkRecord = {
    ...base,
    title,
    training: {
      seed: 42,
      elapsedSeconds: 12.5,
      globalSteps: steps,
      trainingLoss: 0.4,
      diagnostics: {},
      adapterPath: null,
      adapterDigest: null,
      adapterSizeBytes: 1_200_000,
      lossCurve: lossCurve(),
      bestStep: 32,
      supervisedTokens: 9000,
      examples: 320,
      peakRssBytes: null,
      peakGpuAllocatedBytes: null,
      peakGpuReservedBytes: null,
      alarms: [],
    },
    baselines: [
      {
        kind: 'majority-class',
        title: 'majority class',
        shots: null,
        label: 'neutral',
        score: weak.score,
        testing: null,
        provenance: null,
      },
    ],
    pairedTests: [
      {
        baseline: 'majority class',
        n: 200,
        difference: 0.51,
        interval: { low: 0.42, high: 0.6, level: 0.95, method: 'paired' },
        p: 1e-9,
        adjustedP: 1e-9,
        test: 'mcnemar',
        onlySpecialist: 110,
        onlyBaseline: 8,
      },
    ],
  };
  const folder = join(root, 'bank', 'smollm2', 'benchmark');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.json'), JSON.stringify(benchmarkRecordSchema.parse(record)));
}
