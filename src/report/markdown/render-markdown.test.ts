import { expect, test } from 'vitest';
import { withMeasurements } from '../../../test/fixtures/measured-run.ts';
import { scoredRun } from '../../../test/fixtures/scored-run.ts';
import { decide } from '../decision.ts';
import { buildStandings } from '../standings.ts';
import { buildReportView } from '../view-model.ts';
import { renderMarkdown } from './render-markdown.ts';

const headings = (text: string): string[] => text.split('\n').filter((line) => /^#{1,4} /.test(line));

test('one model on one task: the sections of a task benchmark, in their order', async () => {
  const { records } = await scoredRun({ models: 1, samplesPerTask: 30, tasks: 1 });
  const record = {
    ...records[0]!,
    environment: {
      ...records[0]!.environment,
      cudaVisibleDevices: '0',
      cudaRuntime: '12.8',
      nvidiaDriver: '580.142',
      packages: { torch: '2.10.0' },
      gpus: [{ index: 0, name: 'A6000', totalMemoryBytes: 48 * 2 ** 30, driver: null, peakAllocatedBytes: null, peakReservedBytes: null }],
    },
  };
  const text = renderMarkdown(record);
  expect(headings(text)).toEqual([
    '# model comparison',
    '## Results',
    expect.stringMatching(/^### sentiment-mini: qwen/),
    '#### Per-class results',
    '## Dataset',
    '## Models',
    '## Testing',
    '### Latency per sample (ms; quantiles type 7, sd with n - 1)',
    '## Environment',
    '### GPUs visible to the benchmark process',
    '### Package versions',
    '## Reproducibility',
  ]);
  const { support, label } = Object.values(record.results[0]!.metrics.details).find(({ perClass }) => perClass !== undefined)!
    .perClass![0]!;
  expect(text).toContain(`\`${label}\`=${support}`);
  for (const part of [
    '**Primary metric:** accuracy',
    'Invalid/unrecognized predictions: **',
    '| 0 | A6000 | 48.0 GiB |',
    '| torch | 2.10.0 |',
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/NaN|undefined|null/);
});

test('several models and tasks: the comparison comes first; nothing measured leaves no empty section', async () => {
  const { records } = await scoredRun({ models: 2, samplesPerTask: 20, tasks: 2 });
  const text = renderMarkdown(records[0]!);
  expect(headings(text).slice(1, 3)).toEqual(['## Results', '### Comparison']);
  expect(headings(text).filter((line) => /^### [\w-]+: /.test(line))).toHaveLength(4);
  expect(headings(text)).not.toContain('### GPUs visible to the benchmark process');
  const bare = renderMarkdown({ ...records[0]!, models: [], tasks: [], results: [], groups: [], modelRuns: [] });
  expect(headings(bare)).toEqual(['# model comparison', '## Environment', '## Reproducibility']);
});

test('every table row has as many cells as its header', async () => {
  const { records } = await scoredRun({ models: 3, samplesPerTask: 20 });
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  let width: number | null = null;
  for (const line of renderMarkdown(records[0]!).split('\n')) {
    width = line.startsWith('|') ? (width ?? cells(line)) : null;
    if (width !== null) expect(cells(line), line).toBe(width);
  }
});

test('a record of measurements shows their tables', async () => {
  const { records } = withMeasurements(await scoredRun({ models: 1, samplesPerTask: 10, tasks: 1 }));
  const bare = renderMarkdown({ ...records[0]!, models: [], tasks: [], results: [], modelRuns: [] });
  expect(headings(bare)).toEqual([
    '# model comparison',
    '## Quantisation',
    '### Files',
    '### Fidelity to the reference',
    '### Task quality against the reference (paired)',
    '## Environment',
    '## Reproducibility',
  ]);
  expect(bare).toContain('| SmolLM2-135M-Instruct.Q4\\_1.Q2\\_K |');
  expect(bare).toContain('suspect: fidelity rests on 124 tokens');
  const view = buildReportView([{ ...records[0]!, models: [], tasks: [], results: [], modelRuns: [] }]);
  expect(decide(view, buildStandings(view))).toMatchObject({ model: null, after: 'model comparison' });
});
