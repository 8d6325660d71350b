// What a streamed answer was and when: text by channel, token counts by their source, and times as performance.md 2.2 defines them.
import { addName, objectOfCounts } from '../../core/count-names.ts';
import type { BackendWarning, FinishReason, GeneratedToken, Generation, StreamPart, Timing, Usage } from '../../core/generation.ts';
import { createStopGuard } from './stop-guard.ts';
import { createThinkingClock } from './thinking-clock.ts';

/** Token counts as a server reports them; null is unknown, never 0. */
export interface ServerCounts {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number | null;
}

/** Facts of one exchange that a load test needs beside the generation. Lands in `Generation.raw`. */
export interface StreamFacts {
  readonly httpStatus: number;
  readonly connectionReused: boolean | null;
  /** Hand-over to response headers and to the end of the stream, ms. */
  readonly headersMs: number | null;
  readonly endMs: number | null;
  readonly contentChunks: number;
  /** Chunks without content, by what they held. */
  readonly otherChunks: Readonly<Record<string, number>>;
  /** Tokens in the first content chunk; null where the server does not tell. */
  readonly firstChunkTokens: number | null;
  /** Tokens per content chunk; null where the server does not tell. */
  readonly chunkTokens: readonly number[] | null;
  /** Timing figures of the server, as it names them. */
  readonly serverTimings: Readonly<Record<string, number>> | null;
  readonly countsSource: 'usage' | 'chunk-usage' | 'chunks';
  /** Fragments of tool calls, joined. */
  readonly toolCalls: string | null;
}

export interface StreamRecorder {
  /** The content of one chunk, stamped when its network block came; false (and nothing recorded) where all of it is empty. */
  readonly chunk: (atMs: number, text: string, reasoning?: string, toolFragment?: string) => boolean;
  /** A chunk without content: role, usage, finish, comment... */
  readonly other: (kind: string) => void;
  /** Cumulative completion tokens after the content chunk just recorded. */
  readonly chunkCount: (completionTokens: number) => void;
  readonly counts: (counts: ServerCounts) => void;
  readonly token: (token: Omit<GeneratedToken, 'timeMs'>, atMs: number) => void;
  readonly warn: (warning: BackendWarning) => void;
  readonly timings: (figures: Readonly<Record<string, number>>, prefillMs: number | null, decodeMs: number | null) => void;
  readonly contentChunks: () => number;
  /** A stop string was found on our side: nothing more is wanted. */
  readonly stopped: () => boolean;
  readonly partialText: () => string;
  readonly finish: (input: FinishInput) => Generation;
}

export interface FinishInput {
  readonly finishReason: FinishReason;
  /** When the call was made, ms on the clock of the stamps. */
  readonly calledAtMs: number;
  readonly sentAtMs: number;
  readonly headersAtMs: number | null;
  readonly endAtMs: number | null;
  readonly httpStatus: number;
  readonly connectionReused: boolean | null;
  /** False: the answer came as one reply, so that times inside it are unknown. */
  readonly isStreamed: boolean;
  /** Last look at the generation before anyone sees it. */
  readonly revise?: ((generation: Generation) => Generation) | undefined;
}

export interface RecorderOptions {
  readonly stops: readonly string[];
  readonly onPart?: ((part: StreamPart) => void) | undefined;
  /** Hand-over time once known; parts are stamped relative to it. */
  readonly sentAtMs: () => number;
}

export function createStreamRecorder(options: RecorderOptions): StreamRecorder {
  return new Recorder(options);
}

class Recorder implements StreamRecorder {
  readonly #options: RecorderOptions;
  readonly #guard: ReturnType<typeof createStopGuard>;
  readonly #thinking = createThinkingClock();
  readonly #stamps: number[] = [];
  readonly #others = new Map<string, number>();
  readonly #tokens: GeneratedToken[] = [];
  readonly #warnings: BackendWarning[] = [];
  readonly #chunkTokens: number[] = [];
  #countedTokens = 0;
  #text = '';
  #reasoning = '';
  #toolCalls = '';
  #answerAtMs: number | null = null;
  #counts: ServerCounts | null = null;
  #timings: { figures: Readonly<Record<string, number>>; prefillMs: number | null; decodeMs: number | null } | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#guard = createStopGuard(options.stops);
  }

  chunk(atMs: number, text: string, reasoning = '', toolFragment = ''): boolean {
    if (text === '' && reasoning === '' && toolFragment === '') return false;
    this.#stamps.push(atMs);
    if (reasoning !== '') {
      this.#reasoning += reasoning;
      this.#emit('reasoning', reasoning, atMs);
    }
    if (this.#answerAtMs === null && (toolFragment !== '' || (text !== '' && this.#thinking.push(text)))) this.#answerAtMs = atMs;
    this.#toolCalls += toolFragment;
    if (text !== '') this.#show(this.#guard.push(text), atMs);
    return true;
  }

  #show(text: string, atMs: number): void {
    if (text === '') return;
    this.#text += text;
    this.#emit('text', text, atMs);
  }

  #emit(kind: 'text' | 'reasoning', text: string, atMs: number): void {
    this.#options.onPart?.({ kind, text, timeMs: atMs - this.#options.sentAtMs() });
  }

  other(kind: string): void {
    addName(this.#others, kind);
  }

  chunkCount(completionTokens: number): void {
    // Counts that do not come with every chunk cannot be shared out among them.
    if (this.#chunkTokens.length !== this.#stamps.length - 1) return;
    this.#chunkTokens.push(Math.max(0, completionTokens - this.#countedTokens));
    this.#countedTokens = completionTokens;
  }

  counts(counts: ServerCounts): void {
    const last = this.#counts;
    this.#counts = {
      promptTokens: counts.promptTokens ?? last?.promptTokens ?? null,
      cachedTokens: counts.cachedTokens ?? last?.cachedTokens ?? null,
      completionTokens: counts.completionTokens ?? last?.completionTokens ?? null,
      reasoningTokens: counts.reasoningTokens ?? last?.reasoningTokens ?? null,
    };
  }

  token(token: Omit<GeneratedToken, 'timeMs'>, atMs: number): void {
    this.#tokens.push({ ...token, timeMs: atMs - this.#options.sentAtMs() });
  }

  warn(warning: BackendWarning): void {
    this.#warnings.push(warning);
  }

  timings(figures: Readonly<Record<string, number>>, prefillMs: number | null, decodeMs: number | null): void {
    this.#timings = { figures, prefillMs, decodeMs };
  }

  contentChunks(): number {
    return this.#stamps.length;
  }

  stopped(): boolean {
    return this.#guard.found();
  }

  partialText(): string {
    return this.#text;
  }

  finish(input: FinishInput): Generation {
    this.#show(this.#guard.flush(), this.#stamps.at(-1) ?? input.sentAtMs);
    const { usage, source } = this.#usage();
    const { revise = (unchanged: Generation) => unchanged } = input;
    const generation = revise({
      text: this.#text,
      ...(this.#reasoning === '' ? {} : { reasoning: this.#reasoning }),
      finishReason: this.#guard.found() ? 'stop-string' : input.finishReason,
      usage,
      timing: this.#timing(input, usage.completionTokens),
      warnings: this.#warnings,
      ...(this.#tokens.length === 0 ? {} : { tokens: this.#tokens }),
      chunkGapsMs: this.#stamps.slice(1).map((stamp, index) => stamp - this.#stamps[index]!),
      raw: this.#facts(input, source),
    });
    this.#options.onPart?.({ kind: 'finish', generation });
    return generation;
  }

  #usage(): { readonly usage: Usage; readonly source: StreamFacts['countsSource'] } {
    const server = this.#counts;
    const chunks = this.#stamps.length;
    const known = server?.completionTokens ?? null;
    const base = {
      promptTokens: server?.promptTokens ?? null,
      cachedTokens: server?.cachedTokens ?? null,
      reasoningTokens: server?.reasoningTokens ?? null,
    };
    // A count of 0 beside text is a server's way of saying that it did not count.
    if (known !== null && (known > 0 || chunks === 0))
      return { usage: { ...base, completionTokens: known, source: 'server' }, source: 'usage' };
    if (this.#countedTokens > 0)
      return { usage: { ...base, completionTokens: this.#countedTokens, source: 'server' }, source: 'chunk-usage' };
    this.warn({ kind: 'estimate', message: 'the server sent no token counts; content chunks are counted instead' });
    return { usage: { ...base, completionTokens: chunks, source: 'chunks' }, source: 'chunks' };
  }

  #timing(input: FinishInput, completionTokens: number | null): Timing {
    const since = (atMs: number | null | undefined): number | null =>
      atMs === null || atMs === undefined ? null : Math.max(0, atMs - input.sentAtMs);
    const ttftMs = since(this.#stamps[0]);
    const lastMs = since(this.#stamps.at(-1));
    const firstTokens = Math.max(1, this.#perChunk()?.[0] ?? 1);
    const rest = (completionTokens ?? 0) - firstTokens;
    const figures = this.#timings;
    const server = figures === null ? {} : { prefillMs: figures.prefillMs, decodeMs: figures.decodeMs };
    const queuedMs = Math.max(0, input.sentAtMs - input.calledAtMs);
    if (!input.isStreamed) return { queuedMs, ttftMs: null, ttfaMs: null, totalMs: since(input.endAtMs), tpotMs: null, ...server };
    return {
      queuedMs,
      ttftMs,
      ttfaMs: since(this.#answerAtMs),
      totalMs: lastMs ?? since(input.endAtMs),
      // One chunk has no time inside it, also where its end marker was counted as a second token.
      tpotMs: ttftMs === null || lastMs === null || rest < 1 || this.#stamps.length < 2 ? null : (lastMs - ttftMs) / rest,
      ...server,
    };
  }

  #perChunk(): readonly number[] | null {
    return this.#stamps.length > 0 && this.#chunkTokens.length === this.#stamps.length ? this.#chunkTokens : null;
  }

  #facts(input: FinishInput, countsSource: StreamFacts['countsSource']): StreamFacts {
    const since = (atMs: number | null): number | null => (atMs === null ? null : atMs - input.sentAtMs);
    return {
      httpStatus: input.httpStatus,
      connectionReused: input.connectionReused,
      headersMs: since(input.headersAtMs),
      endMs: since(input.endAtMs),
      contentChunks: this.#stamps.length,
      otherChunks: objectOfCounts(this.#others),
      firstChunkTokens: this.#perChunk()?.[0] ?? null,
      chunkTokens: this.#perChunk(),
      serverTimings: this.#timings?.figures ?? null,
      countsSource,
      toolCalls: this.#toolCalls === '' ? null : this.#toolCalls,
    };
  }
}
