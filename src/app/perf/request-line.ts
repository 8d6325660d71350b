// One line of requests.jsonl: every figure of a request in a few hundred bytes, gaps included; and the way back.
import type { RequestResult } from './request-log.ts';

/** Gaps are kept in steps of this many ms. */
const gapStepMs = 0.01;

/** Gaps as LEB128 numbers of 10 microseconds, base64. */
export function packGaps(gapsMs: ArrayLike<number>): string {
  const bytes: number[] = [];
  for (let index = 0; index < gapsMs.length; index++) {
    let value = Math.max(0, Math.round(gapsMs[index]! / gapStepMs));
    while (value >= 128) {
      bytes.push((value % 128) + 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return Buffer.from(bytes).toString('base64');
}

export function unpackGaps(text: string): number[] {
  const gaps: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of Buffer.from(text, 'base64')) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    gaps.push(value * gapStepMs);
    value = 0;
    factor = 1;
  }
  return gaps;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(3));
}

export interface RequestLineLabels {
  readonly model: string;
  /** Number of the load point and of the repetition in it. */
  readonly point: number;
  readonly repetition: number;
  readonly isSteady: boolean;
}

/** The line without its end; null members are left out. */
export function requestLine(result: RequestResult, labels: RequestLineLabels): string {
  const line = {
    model: labels.model,
    point: labels.point,
    rep: labels.repetition,
    steady: labels.isSteady,
    id: result.index,
    prompt: result.promptDigest,
    scheduledMs: rounded(result.scheduledMs),
    sentMs: rounded(result.sentMs),
    endedMs: rounded(result.endedMs),
    queuedMs: rounded(result.queuedMs),
    ttftMs: rounded(result.ttftMs),
    ttfaMs: rounded(result.ttfaMs),
    e2eMs: rounded(result.e2eMs),
    tpotMs: rounded(result.tpotMs),
    prefillMs: rounded(result.prefillMs),
    in: result.promptTokens,
    cached: result.cachedTokens,
    out: result.outputTokens,
    // Both as counted, unless told otherwise.
    wanted: result.wantedTokens === result.outputTokens ? null : result.wantedTokens,
    expectedIn: result.expectedPromptTokens === result.promptTokens ? null : result.expectedPromptTokens,
    reasoning: result.reasoningTokens,
    counts: result.countSource,
    finish: result.finish,
    error: result.error,
    gaps: packGaps(result.gapsMs),
  };
  return JSON.stringify(line, (_, value: unknown) => (value === null || value === '' ? undefined : value));
}

type WrittenLine = Readonly<Record<string, unknown>>;

function numberIn(line: WrittenLine, name: string): number | null {
  const value = line[name];
  return typeof value === 'number' ? value : null;
}

function readError(value: unknown): RequestResult['error'] {
  if (typeof value !== 'object' || value === null) return null;
  const { class: name = '', message = '' } = value as { readonly class?: string; readonly message?: string };
  return { class: name, message };
}

/** A request as its line tells it: times to the microsecond, gaps to the hundredth of a millisecond. */
export function readRequestLine(text: string): RequestLineLabels & { readonly result: RequestResult } {
  const line = JSON.parse(text) as WrittenLine;
  const result: RequestResult = {
    index: numberIn(line, 'id') ?? 0,
    scheduledMs: numberIn(line, 'scheduledMs') ?? 0,
    sentMs: numberIn(line, 'sentMs') ?? 0,
    endedMs: numberIn(line, 'endedMs') ?? 0,
    ttftMs: numberIn(line, 'ttftMs'),
    ttfaMs: numberIn(line, 'ttfaMs'),
    e2eMs: numberIn(line, 'e2eMs'),
    queuedMs: numberIn(line, 'queuedMs'),
    tpotMs: numberIn(line, 'tpotMs'),
    prefillMs: numberIn(line, 'prefillMs'),
    promptTokens: numberIn(line, 'in'),
    cachedTokens: numberIn(line, 'cached'),
    outputTokens: numberIn(line, 'out'),
    reasoningTokens: numberIn(line, 'reasoning'),
    countSource: line['counts'] as RequestResult['countSource'],
    wantedTokens: numberIn(line, 'wanted') ?? numberIn(line, 'out') ?? 0,
    expectedPromptTokens: numberIn(line, 'expectedIn') ?? numberIn(line, 'in'),
    finish: line['finish'] as RequestResult['finish'],
    error: readError(line['error']),
    gapsMs: unpackGaps(typeof line['gaps'] === 'string' ? line['gaps'] : ''),
    promptDigest: String(line['prompt']),
  };
  return {
    result,
    model: String(line['model']),
    point: numberIn(line, 'point') ?? 0,
    repetition: numberIn(line, 'rep') ?? 0,
    isSteady: line['steady'] === true,
  };
}
