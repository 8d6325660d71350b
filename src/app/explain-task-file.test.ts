// `tasks validate`: a good file is tried on its rows, steps included; slips are named.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explainTaskFile } from './explain-task-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'slmbench validate ü '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'capitals.jsonl');
writeFileSync(data, '{"land":"France","capital":"Paris"}\n{"land":"Peru","capital":"Lima"}\n');

const good = {
  name: 'capitals',
  title: 'Capitals',
  description: 'Capitals by name.',
  licence: 'MIT',
  type: 'qa',
  dataset: { name: data, split: 'test', steps: [{ rename: { land: 'country' } }] },
  kind: 'generate',
  prompt: 'Capital of {{ country }}?',
  target: '{{ capital }}',
  metrics: ['exact_match'],
  primaryMetric: 'exact_match',
};

function explain(change: object): Promise<string> {
  const file = join(folder, 'task.json');
  writeFileSync(file, JSON.stringify({ ...good, ...change }));
  return explainTaskFile(file, true);
}

test('a metric that is not built in is noted with the nearest name', async () => {
  const shown = await explain({ metrics: ['exact_match', 'exact_mach'] });
  expect(shown).toContain('gold "Paris", prompt "Capital of France?"');
  expect(shown).toContain('metric "exact_mach" is not built in (did you mean "exact_match"?)');
});

test.each([
  [{ judge: { rubric: ' ', scale: { kind: 'points', max: 5 } } }, 'judge.rubric'],
  [{ judge: { rubric: 'x', scale: { kind: 'points', max: 1, min: 1 } } }, '"max" must be above "min"'],
  [{ judge: { rubric: 'x', scale: { kind: 'labels', labels: ['one'] } } }, 'judge.scale.labels'],
  [{ judge: { rubrik: 'x' } }, 'did you mean "rubric"'],
  [{ graders: ['judge'] }, 'grades by its rubric'],
  [{ graders: ['code-pyton'] }, 'graders.0'],
  [{ primaryMetric: 'exact' }, 'is not among the metrics'],
  [{ prompt: '{{ country ' }, 'prompt'],
])('%j', async (change, message) => {
  await expect(explain(change)).rejects.toMatchObject({ code: 'config', message: expect.stringContaining(message) });
});
