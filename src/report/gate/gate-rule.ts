// Limits of a gate as people write them: `accuracy=1pp`, `arc-easy/f1=0.9`, `ttft=1.1`. A percent sign is a share, never 80 for 80 %.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';

export type GateRuleKind = 'max-drop' | 'max-ratio' | 'min-ratio' | 'min' | 'max';

export interface GateRule {
  readonly kind: GateRuleKind;
  /** Task key, or null for every task that has the metric. */
  readonly task: string | null;
  readonly metric: string;
  /** Absolute limit; for `relative` drops a share of the baseline. */
  readonly limit: number;
  readonly relative: boolean;
  /** As the user wrote it: `--max-drop accuracy=1pp`. */
  readonly text: string;
}

/** Figures of speed and memory, by the names that rules use. */
export const speedMetrics = ['ttft', 'ttfa', 'tpot', 'latency', 'decode', 'memory'] as const;
export type SpeedMetric = (typeof speedMetrics)[number];

export function isSpeedMetric(name: string): name is SpeedMetric {
  return (speedMetrics as readonly string[]).includes(name);
}

const amountPattern = /^([+]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(pp|%)?$/i;

function complain(flag: string, text: string, expected: string): ToolError {
  return new ToolError('usage', `${flag} ${text}: expected ${expected}`);
}

const examples: Readonly<Record<GateRuleKind, string>> = {
  'max-drop': 'METRIC=AMOUNT, e.g. accuracy=1pp, f1=0.02 or perplexity=2%',
  'max-ratio': 'METRIC=RATIO, e.g. ttft=1.1',
  'min-ratio': 'METRIC=RATIO, e.g. decode=0.9',
  min: 'METRIC=VALUE, e.g. f1=0.9 or accuracy=80%',
  max: 'METRIC=VALUE, e.g. perplexity=25 or ttft=200 (ms)',
};

/** @throws ToolError `usage` that says what was expected */
export function parseGateRule(kind: GateRuleKind, text: string): GateRule {
  const flag = `--${kind}`;
  const match = /^(?:([^=]*)\/)?([^=/]+)=(.+)$/.exec(text.trim());
  const amount = match === null ? null : amountPattern.exec(match[3]!.trim());
  if (match === null || amount === null) throw complain(flag, text, examples[kind]);
  const [, task, metric] = match;
  const unit = amount[2]?.toLowerCase();
  const number = Number(amount[1]);
  if (!Number.isFinite(number)) throw complain(flag, text, examples[kind]);
  if (unit === 'pp' && kind !== 'max-drop') throw complain(flag, text, `${examples[kind]} (pp is a difference in percentage points)`);
  if (kind.endsWith('ratio') && (unit !== undefined || number === 0)) throw complain(flag, text, examples[kind]);
  if (isSpeedMetric(metric!.trim()) && kind === 'max-drop')
    throw complain(flag, text, 'a quality metric; speed has --max-ratio and --min-ratio');
  return {
    kind,
    task: task === undefined || task === '' ? null : task,
    metric: metric!.trim(),
    limit: unit === undefined ? number : number / 100,
    relative: kind === 'max-drop' && unit === '%',
    text: `${flag} ${text.trim()}`,
  };
}

/** @throws ToolError `usage` when a rule names what no result has; `place` is what a rule may name before its slash */
export function unknownMetric(
  rule: GateRule,
  known: readonly string[],
  places: readonly string[],
  place: 'task' | 'load' = 'task',
): ToolError {
  if (rule.task !== null && !places.includes(rule.task)) {
    return new ToolError('usage', `${rule.text}: the run has no ${place} "${rule.task}"`, { hint: suggestName(rule.task, places) });
  }
  return new ToolError('usage', `${rule.text}: no result has the metric "${rule.metric}"`, {
    hint: suggestName(rule.metric, place === 'load' ? known : [...known, ...speedMetrics]),
  });
}

/** A share above 1 is a percentage without its sign. @throws ToolError `usage` with both ways to write it */
export function requireShare(rule: GateRule, unit: string): void {
  if (unit !== 'fraction' || rule.kind.endsWith('ratio') || rule.relative || rule.limit <= 1) return;
  const { metric, limit, text } = rule;
  const isPlain = /\d\.?$/.test(text) && limit <= 100;
  const sign = rule.kind === 'max-drop' ? 'pp' : '%';
  const percent = (value: number): number => Number(value.toPrecision(12));
  throw new ToolError('usage', `${text}: ${metric} is a share from 0 to 1, this limit would be ${percent(limit * 100)}${sign}`, {
    hint: isPlain ? `write ${metric}=${percent(limit / 100)} or ${metric}=${limit}${sign}` : `expected 0 to 1, or 0${sign} to 100${sign}`,
  });
}
