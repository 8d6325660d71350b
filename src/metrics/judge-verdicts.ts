// Puts the verdicts of several judges together, and says how far a judge agrees with human labels.
import type { JudgeRubricScale } from './judge-prompt.ts';

export interface PanelVerdict {
  /** 0 to 1, or null: not scored, never counted as 0. */
  readonly score: number | null;
  /** The winning label, or the median points; null where there is none. */
  readonly verdict: string | null;
  /** Judges whose reply could be read. */
  readonly read: number;
  /** Judges whose reply could not be read. */
  readonly unread: number;
  readonly reason: 'scored' | 'unparseable' | 'tie';
}

/** Score of a label: 1 for the best, 0 for the worst, even steps between. */
export function labelScore(label: string, labels: readonly string[]): number | null {
  const index = labels.indexOf(label);
  if (index < 0) return null;
  return labels.length === 1 ? 1 : 1 - index / (labels.length - 1);
}

/**
 * One verdict from a panel. Labels: the one that more judges gave than any other; a tie is not scored. Points: the median, so that one
 * judge cannot drag the result. A panel of which no more than half could be read is not scored.
 * @param replies what each judge said as label or points, null where it could not be read
 */
export function panelVerdict(replies: readonly (string | number | null)[], scale: JudgeRubricScale): PanelVerdict {
  const given = replies.filter((reply) => isOnScale(reply, scale));
  const counts = { read: given.length, unread: replies.length - given.length };
  if (given.length * 2 <= replies.length) return { ...counts, score: null, verdict: null, reason: 'unparseable' };
  if (scale.kind === 'points') {
    const points = median(given.map(Number));
    const low = scale.min ?? 0;
    return { ...counts, score: (points - low) / (scale.max - low), verdict: String(points), reason: 'scored' };
  }
  const votes = new Map<string, number>();
  for (const label of given) votes.set(String(label), (votes.get(String(label)) ?? 0) + 1);
  const most = Math.max(...votes.values());
  const winners = [...votes].filter(([, count]) => count === most);
  if (winners.length > 1) return { ...counts, score: null, verdict: null, reason: 'tie' };
  const verdict = winners[0]![0];
  return { ...counts, score: labelScore(verdict, scale.labels), verdict, reason: 'scored' };
}

function isOnScale(reply: string | number | null, scale: JudgeRubricScale): boolean {
  if (reply === null) return false;
  if (scale.kind === 'labels') return scale.labels.includes(String(reply));
  const points = typeof reply === 'string' && reply.trim() === '' ? Number.NaN : Number(reply);
  return points >= (scale.min ?? 0) && points <= scale.max;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface JudgeAgreement {
  /** Pairs in which both sides have a label. */
  readonly n: number;
  /** Pairs that the judge left without a label. */
  readonly unscored: number;
  readonly accuracy: number | null;
  /** Cohen's kappa (1960): agreement above chance; null where chance alone would agree always. */
  readonly kappa: number | null;
}

/** Agreement of a judge with human labels of the same items. */
export function judgeAgreement(pairs: readonly { readonly judge: string | null; readonly human: string }[]): JudgeAgreement {
  const judgeCounts = new Map<string, number>();
  const humanCounts = new Map<string, number>();
  let n = 0;
  let agreed = 0;
  for (const { judge, human } of pairs) {
    if (judge === null) continue;
    n++;
    if (judge === human) agreed++;
    judgeCounts.set(judge, (judgeCounts.get(judge) ?? 0) + 1);
    humanCounts.set(human, (humanCounts.get(human) ?? 0) + 1);
  }
  const unscored = pairs.length - n;
  if (n === 0) return { n, unscored, accuracy: null, kappa: null };
  let byChance = 0;
  for (const [label, count] of judgeCounts) byChance += (count / n) * ((humanCounts.get(label) ?? 0) / n);
  const accuracy = agreed / n;
  return { n, unscored, accuracy, kappa: 1 - byChance < 1e-12 ? null : (accuracy - byChance) / (1 - byChance) };
}
