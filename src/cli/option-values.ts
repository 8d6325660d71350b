// Values of flags: numbers with bounds, lists by comma or repetition. A wrong value is a usage error that says what was expected.
import { InvalidArgumentError } from 'commander';

export function integer(low: number, high: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text.trim()) || value < low || value > high) {
      throw new InvalidArgumentError(
        `expected a whole number ${high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`}.`,
      );
    }
    return value;
  };
}

export function decimal(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a number${Number.isFinite(high) ? ` from ${low} to ${high}` : ` of at least ${low}`}.`);
    }
    return value;
  };
}

/** `-m a,b -m c d` and any mixture; empty parts are dropped, but one without any name is an error: no names would mean all. */
export function list(text: string, previous: readonly string[] | undefined): string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (names.length === 0) throw new InvalidArgumentError('expected at least one name.');
  return [...(previous ?? []), ...names];
}

/** Repeatable, commas are part of the value (stop strings, --set). */
export function repeated(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), text];
}

/** `\n`, `\t` and `\\` in a stop string typed in a shell. */
export function unescapeStop(text: string): string {
  return text.replace(/\\([nrt\\])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t', '\\': '\\' })[letter]!);
}

/** `--shard 2/4`. */
export function shard(text: string): { index: number; count: number } {
  const match = /^(\d+)\/(\d+)$/.exec(text.trim());
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count) {
    throw new InvalidArgumentError('expected i/n with i from 1 to n, e.g. 2/4.');
  }
  return { index, count };
}
