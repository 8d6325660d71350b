// Judges a response by its prompt's instructions, as a grader, so that the verdict is kept with the prediction.
import type { Grader } from '../../core/ports/grader.ts';
import type { Grade, PredictionRow } from '../../core/prediction.ts';
import { approximateInstructions } from './check-instruction.ts';
import { followInstructions, type Instruction } from './follow-instructions.ts';

export const ifevalGraderName = 'ifeval';

/** Score 1 when all instructions are followed strictly; `detail` holds both lists of verdicts as JSON. */
export function gradeInstructions(row: PredictionRow): Grade {
  const instructions = (row.extra?.['instructions'] ?? []) as unknown as readonly Instruction[];
  const prompt = String(row.extra?.['prompt'] ?? row.instruction);
  const response = row.outcome.kind === 'scored' ? (row.prediction ?? '') : '';
  const verdicts = followInstructions(instructions, prompt, response);
  const approximate = instructions.map(({ id }) => id).filter((id) => approximateInstructions.has(id));
  const detail = JSON.stringify(approximate.length === 0 ? verdicts : { ...verdicts, approximate });
  if (verdicts.strict.includes(null)) return { grader: ifevalGraderName, score: null, verdict: 'missing-argument', detail };
  const isFollowed = verdicts.strict.every((followed) => followed === true);
  return { grader: ifevalGraderName, score: isFollowed ? 1 : 0, verdict: isFollowed ? 'followed' : 'not-followed', detail };
}

export function createIfevalGrader(): Grader {
  return { name: ifevalGraderName, version: '1', grade: (row) => Promise.resolve(gradeInstructions(row)), close: () => Promise.resolve() };
}
