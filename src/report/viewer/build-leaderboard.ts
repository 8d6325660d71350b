// The leaderboard: results of many runs ranked within equal test sets only, the newest result of each model.
import type { LeaderboardEntry } from './viewer-contract.ts';

export interface LeaderboardFilter {
  readonly tag?: string | undefined;
  readonly text?: string | undefined;
  readonly validOnly?: boolean | undefined;
}

/** One ranked table: all entries answered the same items of one task. */
export interface LeaderboardBoard {
  readonly task: string;
  readonly title: string;
  readonly manifest: string;
  readonly samples: number;
  readonly protocol: string;
  readonly higherIsBetter: boolean;
  readonly entries: readonly LeaderboardEntry[];
  /** Models whose interval overlaps the first one's: a hint; `compare` gives the paired test. */
  readonly overlapsBest: readonly string[];
}

function newestOf(entries: readonly LeaderboardEntry[]): LeaderboardEntry[] {
  const byModel = new Map<string, LeaderboardEntry>();
  for (const entry of entries) {
    const known = byModel.get(entry.model);
    if (known === undefined || known.created < entry.created) byModel.set(entry.model, entry);
  }
  return [...byModel.values()];
}

function board(entries: readonly LeaderboardEntry[]): LeaderboardBoard {
  const first = entries[0]!;
  const higherIsBetter = entries.find((entry) => entry.primary !== null)?.primary?.higherIsBetter ?? true;
  const sign = higherIsBetter ? -1 : 1;
  // Whatever the direction, an entry without a value comes last.
  const rank = ({ primary }: LeaderboardEntry): number => (primary?.value == null ? Number.POSITIVE_INFINITY : sign * primary.value);
  const ranked = newestOf(entries).sort((a, b) => {
    const left = rank(a);
    const right = rank(b);
    return left === right ? (a.model < b.model ? -1 : 1) : left - right;
  });
  const best = ranked[0]?.primary?.interval ?? null;
  return {
    task: first.task,
    title: first.taskTitle,
    manifest: first.manifest,
    samples: first.samples,
    protocol: first.protocol,
    higherIsBetter,
    entries: ranked,
    overlapsBest:
      best === null
        ? []
        : ranked.slice(1).flatMap((entry) => {
            const own = entry.primary?.interval ?? null;
            return own !== null && own.low <= best.high && best.low <= own.high ? [entry.model] : [];
          }),
  };
}

/** Boards with the most models first, then the largest test set. */
export function buildLeaderboard(entries: readonly LeaderboardEntry[], filter: LeaderboardFilter): LeaderboardBoard[] {
  const words = (filter.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const wanted = entries.filter(
    (entry) =>
      (filter.tag === undefined || entry.tags.includes(filter.tag)) &&
      (filter.validOnly !== true || entry.verdict === 'valid') &&
      words.every((word) => `${entry.model} ${entry.task} ${entry.quantisation ?? ''}`.toLowerCase().includes(word)),
  );
  const groups = Map.groupBy(wanted, (entry) => `${entry.task}\u0000${entry.manifest}\u0000${entry.primary?.name ?? ''}`);
  return [...groups.values()]
    .map(board)
    .sort((a, b) => b.entries.length - a.entries.length || b.samples - a.samples || (a.task < b.task ? -1 : 1));
}
