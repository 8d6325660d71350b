// What an IFEval checker is given and what it says.
import type { Json } from '../../core/json.ts';

/** Arguments of one instruction; empty ones were dropped, as the original does. */
export type InstructionArguments = Readonly<Record<string, Json | undefined>>;

/**
 * True when the response follows the instruction; null when it cannot be told because an argument is missing
 * (the original then draws a random one, which no two runs would share).
 */
export type Checker = (response: string, args: InstructionArguments, prompt: string) => boolean | null;

export function textArgument(args: InstructionArguments, name: string): string | null {
  const value = args[name];
  return typeof value === 'string' ? value : null;
}

export function numberArgument(args: InstructionArguments, name: string): number | null {
  const value = args[name];
  return typeof value === 'number' && value >= 0 ? value : null;
}

export function listArgument(args: InstructionArguments, name: string): readonly string[] | null {
  const value = args[name];
  return Array.isArray(value) && value.length > 0 ? value.map(String) : null;
}

/** `count < limit` for "less than", `count >= limit` for "at least". */
export function compare(count: number, limit: number | null, relation: string | null): boolean | null {
  if (limit === null) return null;
  if (relation === 'less than') return count < limit;
  return relation === 'at least' ? count >= limit : null;
}
