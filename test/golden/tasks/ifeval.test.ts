// IFEval checkers against the Python originals (scripts/golden/lm-eval-ifeval.py); the approximated types are not among them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { approximateInstructions, instructionIds } from '../../../src/tasks/ifeval/check-instruction.ts';
import { followInstructions, type Instruction } from '../../../src/tasks/ifeval/follow-instructions.ts';

const golden = JSON.parse(readFileSync(new URL('./ifeval.json', import.meta.url), 'utf8')) as {
  readonly instructions: readonly Instruction[];
  readonly cases: readonly (readonly [response: string, strict: string, loose: string])[];
};

const bits = (verdicts: readonly (boolean | null)[]): string => verdicts.map((followed) => (followed ? '1' : '0')).join('');

test.each(golden.cases)('%j', (response, strict, loose) => {
  const verdicts = followInstructions(golden.instructions, 'Prompt text', response);
  expect(bits(verdicts.strict)).toBe(strict);
  expect(bits(verdicts.loose)).toBe(loose);
});

test('every exact instruction type is among the cases', () => {
  const covered = new Set(golden.instructions.map(({ id }) => id));
  expect(instructionIds.filter((id) => !covered.has(id)).sort()).toEqual([...approximateInstructions].sort());
});

test('both verdicts of each instruction occur', () => {
  golden.instructions.forEach((instruction, index) => {
    const seen = new Set(golden.cases.map(([, strict]) => strict[index]));
    expect([instruction.id, [...seen].sort()]).toEqual([instruction.id, ['0', '1']]);
  });
});
