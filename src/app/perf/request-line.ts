// One line of requests.jsonl: every figure of a request in a few hundred bytes, gaps included.
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
    reasoning: result.reasoningTokens,
    counts: result.countSource,
    finish: result.finish,
    error: result.error,
    gaps: packGaps(result.gapsMs),
  };
  return JSON.stringify(line, (_, value: unknown) => (value === null || value === '' ? undefined : value));
}
