// Mistakes in task files: each is named with its place and the nearest valid name.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainTaskDefinition, parseTaskDefinition } from './parse-task-definition.ts';
import { taskDefinitionSchema } from './task-definition.ts';

const good = {
  name: 'capitals',
  title: 'Capitals',
  description: 'Capitals of countries.',
  licence: 'MIT',
  type: 'qa',
  dataset: { name: './capitals.jsonl', split: 'all' },
  kind: 'generate',
  prompt: 'Capital of {{ country }}?',
  target: '{{ capital }}',
  metrics: ['exact_match'],
  primaryMetric: 'exact_match',
};

const problems = (value: unknown) => {
  const check = explainTaskDefinition(value);
  return check.kind === 'invalid' ? check.problems : [];
};

test('a good definition is valid', () => {
  expect(problems(good)).toEqual([]);
  expect(parseTaskDefinition(good)).toMatchObject({ version: '1', fewShot: { count: 0 }, parser: { kind: 'text' } });
});

test.each([
  ['an unknown key', { ...good, promt: 'x' }, { path: 'promt', message: 'unknown key', hint: 'did you mean "prompt"?' }],
  ['an unknown nested key', { ...good, fewShot: { cuont: 2 } }, { path: 'fewShot.cuont', hint: 'did you mean "count"?' }],
  [
    'a wrong kind',
    { ...good, kind: 'generated' },
    { path: 'kind', message: 'expected one of: choose, choose-letter, generate, perplexity' },
  ],
  ['missing choices', { ...good, kind: 'choose' }, { path: 'choices' }],
  ['a broken template', { ...good, prompt: '{{ country ' }, { path: 'prompt' }],
  [
    'a primary metric that is not measured',
    { ...good, primaryMetric: 'exact_mtach' },
    { path: 'primaryMetric', hint: 'did you mean "exact_match"?' },
  ],
  [
    'an alias of no label',
    { ...good, labels: ['yes', 'no'], aliases: { yess: ['y'] } },
    { path: 'aliases.yess', hint: 'did you mean "yes"?' },
  ],
  ['a regex parser without a pattern', { ...good, parser: { kind: 'regex' } }, { path: 'parser.pattern' }],
  ['a bad name', { ...good, name: 'My Task' }, { path: 'name' }],
  [
    'a wrong variant',
    { ...good, variants: { lmEval: { task: 'x', version: '1', body: { prompts: 'x' } } } },
    { path: 'variants.lmEval.body.prompts', hint: 'did you mean "prompt"?' },
  ],
  ['no object', 'capitals', { path: '' }],
])('%s', (_, value, expected) => {
  expect(problems(value)[0]).toMatchObject(expected);
  expect(() => parseTaskDefinition(value)).toThrow('the task definition is wrong');
});

test('all mistakes at once', () => {
  expect(problems({ ...good, promt: 1, titel: 2 })).toHaveLength(2);
});

test('legal but odd things are notes', () => {
  const check = explainTaskDefinition({ ...good, licence: 'unknown', fewShot: { count: 2 } });
  expect(check.kind === 'valid' && check.notes.map((note) => note.path)).toEqual(['dataset.fewShotSplit', 'licence']);
});

test('editors get a JSON Schema', () => {
  const schema = z.toJSONSchema(taskDefinitionSchema, { io: 'input' });
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties ?? {})).toContain('fewShot');
});
