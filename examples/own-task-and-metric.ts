// A task and a metric made in code, run on any model. Run: node examples/own-task-and-metric.ts [model]
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineMetric, defineTask, evaluate } from 'slmbench';

const capitals = defineTask({
  name: 'capitals',
  title: 'Capitals of Europe',
  description: 'One short answer per country.',
  type: 'qa',
  dataset: { name: 'capitals', split: 'test' },
  kind: 'generate',
  prompt: 'What is the capital of {{ country }}? Answer with the city only.',
  target: '{{ capital }}',
  generation: { maxTokens: 12 },
  metrics: ['contains', 'brief'],
  primaryMetric: 'contains',
});

const brief = defineMetric({
  name: 'brief',
  interval: 'wilson',
  score: (row) => ((row.cleaned ?? '').split(/\s+/).length <= 3 ? 1 : 0),
});

const { record } = await evaluate({
  models: [process.argv[2] ?? 'toy'],
  tasks: [
    {
      definition: capitals,
      rows: [
        { country: 'France', capital: 'Paris' },
        { country: 'Italy', capital: 'Rome' },
        { country: 'Norway', capital: 'Oslo' },
      ],
    },
  ],
  metrics: [brief],
  settings: { threads: 1 },
  runsFolder: await mkdtemp(join(tmpdir(), 'slmbench-example-')),
});

for (const metric of record.results[0]!.metrics.values) console.log(`${metric.name}: ${metric.value} (n ${metric.n})`);
