// Words for figures ("TTFT under 500 ms is good"): limits that a user can replace with --rating.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';

export interface RatingLimits {
  readonly good: number;
  readonly fair: number;
  readonly better: 'lower' | 'higher';
}
export type Ratings = Readonly<Record<string, RatingLimits>>;

/** Limits for interactive use: ms for latencies, tok/s for rates. 8 tok/s is about the speed of silent reading. */
export const defaultRatings: Ratings = {
  ttft: { good: 500, fair: 1500, better: 'lower' },
  ttftFromSchedule: { good: 500, fair: 1500, better: 'lower' },
  ttfa: { good: 1000, fair: 5000, better: 'lower' },
  tpot: { good: 50, fair: 125, better: 'lower' },
  decodeRate: { good: 20, fair: 8, better: 'higher' },
  longestStall: { good: 300, fair: 1000, better: 'lower' },
};

/** null where there is nothing to rate. */
export function rate(name: string, value: number | null, ratings: Ratings): string | null {
  const limits = ratings[name];
  if (limits === undefined || value === null) return null;
  const reaches = (limit: number): boolean => (limits.better === 'lower' ? value <= limit : value >= limit);
  return reaches(limits.good) ? 'good' : reaches(limits.fair) ? 'fair' : 'poor';
}

/**
 * `ttft=300/800`: good up to 300, fair up to 800.
 * @throws ToolError `usage`
 */
export function parseRatings(texts: readonly string[]): Ratings {
  const ratings: Record<string, RatingLimits> = { ...defaultRatings };
  for (const text of texts) {
    const match = /^(\w+)=([\d.]+)\/([\d.]+)$/.exec(text.trim());
    if (match === null) throw new ToolError('usage', `--rating "${text}" is not understood`, { hint: 'expected e.g. ttft=300/800' });
    const known = defaultRatings[match[1]!];
    if (known === undefined)
      throw new ToolError('usage', `there is no rating of "${match[1]}"`, { hint: suggestName(match[1]!, Object.keys(defaultRatings)) });
    ratings[match[1]!] = { good: Number(match[2]), fair: Number(match[3]), better: known.better };
  }
  return ratings;
}
