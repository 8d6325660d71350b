// What happened to each request of a load test, in columns: 100,000 requests with all their gaps stay within a few dozen MB.
import type { FinishReason, Usage } from '../../core/generation.ts';

/** One request as it ended. Times are ms from the start of the phase; null is "did not happen" or "not told". */
export interface RequestResult {
  readonly index: number;
  /** When it was due (open loop) or sent (closed loop). */
  readonly scheduledMs: number;
  /** When the generator handed it to the backend. */
  readonly sentMs: number;
  /** When its end was known. */
  readonly endedMs: number;
  readonly ttftMs: number | null;
  readonly ttfaMs: number | null;
  readonly e2eMs: number | null;
  readonly queuedMs: number | null;
  readonly tpotMs: number | null;
  /** Prompt time by the engine's or server's own clock. */
  readonly prefillMs: number | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly countSource: Usage['source'];
  /** Tokens that were asked for, and prompt tokens that were sent as far as known beforehand. */
  readonly wantedTokens: number;
  readonly expectedPromptTokens: number | null;
  readonly finish: FinishReason;
  readonly error: { readonly class: string; readonly message: string } | null;
  readonly gapsMs: ArrayLike<number>;
  readonly promptDigest: string;
}

const numberColumns = [
  'index',
  'scheduledMs',
  'sentMs',
  'endedMs',
  'ttftMs',
  'ttfaMs',
  'e2eMs',
  'queuedMs',
  'tpotMs',
  'prefillMs',
  'promptTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'wantedTokens',
  'expectedPromptTokens',
] as const;
type NumberColumn = (typeof numberColumns)[number];

const firstRows = 1024;
const firstGaps = 16_384;

function grown<T extends Float64Array | Float32Array>(column: T, needed: number, make: (size: number) => T): T {
  if (needed <= column.length) return column;
  const larger = make(Math.max(needed, column.length * 2));
  larger.set(column);
  return larger;
}

export class RequestLog {
  readonly #columns = new Map<NumberColumn, Float64Array>(numberColumns.map((name) => [name, new Float64Array(firstRows)]));
  readonly #texts: { readonly source: Usage['source']; readonly finish: FinishReason; readonly digest: string }[] = [];
  readonly #errors = new Map<number, NonNullable<RequestResult['error']>>();
  #gaps = new Float32Array(firstGaps);
  #gapEnds = new Float64Array(firstRows);
  #length = 0;
  #gapLength = 0;

  get length(): number {
    return this.#length;
  }

  add(result: RequestResult): void {
    const row = this.#length++;
    for (const name of numberColumns) {
      let column = this.#columns.get(name)!;
      if (row >= column.length) this.#columns.set(name, (column = grown(column, row + 1, (size) => new Float64Array(size))));
      column[row] = result[name] ?? Number.NaN;
    }
    this.#texts.push({ source: result.countSource, finish: result.finish, digest: result.promptDigest });
    if (result.error !== null) this.#errors.set(row, result.error);
    this.#gaps = grown(this.#gaps, this.#gapLength + result.gapsMs.length, (size) => new Float32Array(size));
    for (let index = 0; index < result.gapsMs.length; index++) this.#gaps[this.#gapLength++] = result.gapsMs[index]!;
    this.#gapEnds = grown(this.#gapEnds, this.#length, (size) => new Float64Array(size));
    this.#gapEnds[row] = this.#gapLength;
  }

  /** A number of one request; null where it is missing. */
  value(row: number, name: NumberColumn): number | null {
    const value = this.#columns.get(name)![row]!;
    return Number.isNaN(value) ? null : value;
  }

  gaps(row: number): Float32Array {
    return this.#gaps.subarray(row === 0 ? 0 : this.#gapEnds[row - 1]!, this.#gapEnds[row]!);
  }

  error(row: number): RequestResult['error'] {
    return this.#errors.get(row) ?? null;
  }

  at(row: number): RequestResult {
    const numbers = Object.fromEntries(numberColumns.map((name) => [name, this.value(row, name)]));
    const { source, finish, digest } = this.#texts[row]!;
    const more = { countSource: source, finish, promptDigest: digest, error: this.error(row), gapsMs: this.gaps(row) };
    return { ...numbers, ...more } as unknown as RequestResult;
  }

  /** All requests, in the order in which they ended. */
  results(): RequestResult[] {
    return Array.from({ length: this.#length }, (_, row) => this.at(row));
  }
}
