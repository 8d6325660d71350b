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

const timeColumns = ['scheduledMs', 'sentMs', 'endedMs', 'ttftMs', 'ttfaMs', 'e2eMs', 'queuedMs', 'tpotMs', 'prefillMs'] as const;
/** Whole numbers below 2^24, exact in 32 bits. */
const countColumns = [
  'index',
  'promptTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'wantedTokens',
  'expectedPromptTokens',
] as const;
type NumberColumn = (typeof timeColumns)[number] | (typeof countColumns)[number];
type Column = Float64Array | Float32Array;

const firstRows = 1024;
const growth = 1.5;
const gapsPerBlock = 65_536;

/** Gaps of all requests in blocks of fixed size: nothing is copied when more come, and little stays unused. */
class GapStore {
  readonly #blocks: Float32Array[] = [];
  #blockOf = new Uint32Array(firstRows);
  #offset = new Uint32Array(firstRows);
  #length = new Uint32Array(firstRows);
  #used = gapsPerBlock;

  add(row: number, gaps: ArrayLike<number>): void {
    if (this.#used + gaps.length > (this.#blocks.at(-1)?.length ?? 0)) {
      this.#blocks.push(new Float32Array(Math.max(gapsPerBlock, gaps.length)));
      this.#used = 0;
    }
    if (row >= this.#length.length) this.#grow();
    this.#blocks.at(-1)!.set(gaps, this.#used);
    this.#blockOf[row] = this.#blocks.length - 1;
    this.#offset[row] = this.#used;
    this.#length[row] = gaps.length;
    this.#used += gaps.length;
  }

  get reservedBytes(): number {
    const blocks = this.#blocks.reduce((sum, block) => sum + block.byteLength, 0);
    return blocks + this.#blockOf.byteLength + this.#offset.byteLength + this.#length.byteLength;
  }

  at(row: number): Float32Array {
    const offset = this.#offset[row]!;
    return this.#blocks[this.#blockOf[row]!]!.subarray(offset, offset + this.#length[row]!);
  }

  #grow(): void {
    const larger = (column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(Math.ceil(column.length * growth));
      grown.set(column);
      return grown;
    };
    this.#blockOf = larger(this.#blockOf);
    this.#offset = larger(this.#offset);
    this.#length = larger(this.#length);
  }
}

export class RequestLog {
  readonly #columns = new Map<NumberColumn, Column>();
  readonly #gaps = new GapStore();
  readonly #sources: Usage['source'][] = [];
  readonly #finishes: FinishReason[] = [];
  readonly #digests: string[] = [];
  readonly #errors = new Map<number, NonNullable<RequestResult['error']>>();
  #length = 0;
  #capacity = firstRows;

  constructor() {
    for (const name of timeColumns) this.#columns.set(name, new Float64Array(firstRows));
    for (const name of countColumns) this.#columns.set(name, new Float32Array(firstRows));
  }

  get length(): number {
    return this.#length;
  }

  /** Memory of all number columns and gaps; texts are shared with the requests. */
  get reservedBytes(): number {
    return [...this.#columns.values()].reduce((sum, column) => sum + column.byteLength, this.#gaps.reservedBytes);
  }

  add(result: RequestResult): void {
    const row = this.#length++;
    if (row >= this.#capacity) this.#grow();
    for (const [name, column] of this.#columns) column[row] = result[name] ?? Number.NaN;
    this.#sources.push(result.countSource);
    this.#finishes.push(result.finish);
    this.#digests.push(result.promptDigest);
    if (result.error !== null) this.#errors.set(row, result.error);
    this.#gaps.add(row, result.gapsMs);
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * growth);
    for (const [name, column] of this.#columns) {
      const larger = column instanceof Float64Array ? new Float64Array(this.#capacity) : new Float32Array(this.#capacity);
      larger.set(column);
      this.#columns.set(name, larger);
    }
  }

  /** A number of one request; null where it is missing. */
  value(row: number, name: NumberColumn): number | null {
    const value = this.#columns.get(name)![row]!;
    return Number.isNaN(value) ? null : value;
  }

  /** A view, not a copy. */
  gaps(row: number): Float32Array {
    return this.#gaps.at(row);
  }

  error(row: number): RequestResult['error'] {
    return this.#errors.get(row) ?? null;
  }

  at(row: number): RequestResult {
    const numbers = Object.fromEntries([...timeColumns, ...countColumns].map((name) => [name, this.value(row, name)]));
    const more = {
      countSource: this.#sources[row]!,
      finish: this.#finishes[row]!,
      promptDigest: this.#digests[row]!,
      error: this.error(row),
      gapsMs: this.gaps(row),
    };
    return { ...numbers, ...more } as unknown as RequestResult;
  }

  /** All requests, in the order in which they ended. */
  results(): RequestResult[] {
    return Array.from({ length: this.#length }, (_, row) => this.at(row));
  }
}
