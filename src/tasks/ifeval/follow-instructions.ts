// Strict and loose verdicts on all instructions of a prompt.
import { strip } from '../../metrics/text/python-text.ts';
import { checkInstruction } from './check-instruction.ts';
import type { InstructionArguments } from './instruction.ts';

export interface Instruction {
  readonly id: string;
  readonly kwargs: InstructionArguments;
}

export interface InstructionVerdicts {
  /** One for each instruction; null where it cannot be told. */
  readonly strict: readonly (boolean | null)[];
  /** True when any of eight light rewrites passes: first or last line dropped, asterisks removed. */
  readonly loose: readonly (boolean | null)[];
}

export function followInstructions(instructions: readonly Instruction[], prompt: string, response: string): InstructionVerdicts {
  const verdict = ({ id, kwargs }: Instruction, text: string): boolean | null => {
    const followed = checkInstruction(id, kwargs, prompt, text);
    return followed === null ? null : followed && strip(text) !== '';
  };
  const versions = looseVersions(response);
  return {
    strict: instructions.map((instruction) => verdict(instruction, response)),
    loose: instructions.map((instruction) => {
      const all = versions.map((text) => verdict(instruction, text));
      return all[0] === null ? null : all.includes(true);
    }),
  };
}

function looseVersions(response: string): readonly string[] {
  const lines = response.split('\n');
  const cut = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((kept) => strip(kept.join('\n')));
  const plain = [response, ...cut];
  return [...plain, ...plain.map((text) => text.replaceAll('*', ''))];
}
