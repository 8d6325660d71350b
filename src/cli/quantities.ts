// Sizes and durations as people type them: `4GB`, `512MiB`, `500ms`, `2s`.
import { ToolError } from '../core/errors.ts';

const sizeFactors: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };
const durationFactors: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 };

function parse(text: string | undefined, flag: string, factors: Readonly<Record<string, number>>, example: string): number | undefined {
  if (text === undefined) return undefined;
  const match = /^([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)$/i.exec(text.trim());
  const factor = match === null ? undefined : factors[match[2]!.toLowerCase()];
  if (match === null || factor === undefined)
    throw new ToolError('usage', `${flag} ${text}: expected a number with a unit (${Object.keys(factors).join(', ')})`, {
      hint: `for example ${flag} ${example}`,
    });
  return Number(match[1]) * factor;
}

/** Bytes. */
export function parseSize(text: string | undefined, flag: string): number | undefined {
  return parse(text, flag, sizeFactors, '4GB');
}

/** Milliseconds. */
export function parseDuration(text: string | undefined, flag: string): number | undefined {
  return parse(text, flag, durationFactors, '500ms');
}
