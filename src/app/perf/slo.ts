// Service level objectives: reading `ttft=500ms,tpot=50ms,p=95`, and judging each request by them.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import type { RequestResult } from './request-log.ts';

export const objectiveNames = ['ttft', 'ttfa', 'tpot', 'e2e'] as const;
export type ObjectiveName = (typeof objectiveNames)[number];

export interface Slo {
  /** Upper limits, ms. */
  readonly limitsMs: Readonly<Partial<Record<ObjectiveName, number>>>;
  /** Share of requests that must meet all limits, percent. */
  readonly percentile: number;
}

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** @throws ToolError `usage` naming the part that is wrong */
export function parseSlo(text: string): Slo {
  const limitsMs: Partial<Record<ObjectiveName, number>> = {};
  let percentile = 95;
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    if (name === 'p') {
      percentile = Number(value.replace(/%$/, ''));
      if (value === '' || !(percentile > 0 && percentile <= 100)) throw badPart(part, 'a percentile from 0 to 100, e.g. p=95');
      continue;
    }
    if (!(objectiveNames as readonly string[]).includes(name)) {
      throw new ToolError('usage', `unknown objective "${name}" in --slo`, { hint: suggestName(name, [...objectiveNames, 'p']) });
    }
    limitsMs[name as ObjectiveName] = parseDuration(value, part);
  }
  if (Object.keys(limitsMs).length === 0) throw new ToolError('usage', '--slo names no limit', { hint: 'e.g. ttft=500ms,tpot=50ms,p=95' });
  return { limitsMs, percentile };
}

function parseDuration(value: string, part: string): number {
  const match = /^([\d.]+)\s*(us|ms|s)$/.exec(value);
  const durationMs = match === null ? Number.NaN : Number(match[1]) * unitMs[match[2]!]!;
  if (!(durationMs > 0)) throw badPart(part, 'a duration with its unit, e.g. ttft=500ms');
  return durationMs;
}

function badPart(part: string, expected: string): ToolError {
  return new ToolError('usage', `--slo: "${part.trim()}" is not understood`, { hint: `expected ${expected}` });
}

export function describeSlo(slo: Slo): string {
  const limits = objectiveNames.filter((name) => slo.limitsMs[name] !== undefined).map((name) => `${name} <= ${slo.limitsMs[name]} ms`);
  return `${limits.join(' and ')} for ${slo.percentile} %`;
}

/** `undetermined`: an objective has no measurement in this answer (an empty answer has no ttft, one token has no tpot). */
export type SloVerdict = 'good' | 'bad' | 'undetermined';

/** Failed requests are bad. In an open loop, waits before the request was sent count. */
export function judgeRequest(result: RequestResult, slo: Slo): SloVerdict {
  if (result.error !== null) return 'bad';
  const lateMs = result.sentMs - result.scheduledMs;
  const measured: Readonly<Record<ObjectiveName, number | null>> = {
    ttft: result.ttftMs === null ? null : result.ttftMs + lateMs,
    ttfa: result.ttfaMs === null ? null : result.ttfaMs + lateMs,
    tpot: result.tpotMs,
    e2e: result.e2eMs === null ? null : result.e2eMs + lateMs,
  };
  let verdict: SloVerdict = 'good';
  for (const name of objectiveNames) {
    const limit = slo.limitsMs[name];
    if (limit === undefined) continue;
    const value = measured[name];
    if (value !== null && value > limit) return 'bad';
    if (value === null) verdict = 'undetermined';
  }
  return verdict;
}
