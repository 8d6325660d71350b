// The comparison of models over all shared tasks: score with interval, cost, and what could not be read.
import { differenceText, qualityText } from '../decision.ts';
import { dash, formatBytes, formatDuration, formatFixed } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import { IntervalBar } from './interval-bar.tsx';
import { Name } from './name.tsx';
import { type Column, Table, type TableRow } from './table.tsx';

const columns: readonly Column[] = [
  { title: 'Model', sortable: true },
  { title: 'Score [95 %]', hint: 'Mean of the primary metric over the tasks that all models ran', sortable: true },
  { title: 'Against the best', hint: 'Difference from the best model with its 95 % interval', align: 'right', sortable: true },
  { title: 'Latency p50', align: 'right', sortable: true },
  { title: 'p95', align: 'right', sortable: true },
  { title: 'Output tok/s', align: 'right', sortable: true },
  { title: 'Peak memory', align: 'right', sortable: true },
  {
    title: 'Inv / err / trunc',
    hint: 'Share of answers that could not be read, failed, or ended at the token limit',
    align: 'right',
    sortable: true,
  },
];

export const placeWords: Readonly<Record<Standing['place'], string>> = {
  best: 'best',
  tied: '≈ best',
  behind: '',
  unknown: '',
};

const placeHints: Readonly<Record<Standing['place'], string | undefined>> = {
  best: 'highest score',
  tied: 'not distinguishable from the best at the 95 % level',
  behind: undefined,
  unknown: undefined,
};

function rates({ summary }: Standing): { readonly text: string; readonly sum: number } {
  const counts = summary.results.map(({ entry }) => entry.counts);
  const total = counts.reduce((sum, one) => sum + one.total, 0);
  const shares = (['invalid', 'error', 'truncated'] as const).map(
    (key) => counts.reduce((sum, one) => sum + one[key], 0) / Math.max(1, total),
  );
  return {
    text: shares.map((share) => (share === 0 ? '0' : `${(share * 100).toFixed(1)} %`)).join(' / '),
    sum: shares.reduce((sum, share) => sum + share, 0),
  };
}

function rowOf(standing: Standing, standings: Standings): TableRow {
  const { model, quality, place } = standing;
  const unreadable = rates(standing);
  const word = placeWords[place];
  return {
    key: model.key,
    className: place,
    cells: [
      {
        content: (
          <>
            <Name>{model.key}</Name>{' '}
            {word === '' ? null : (
              <span className={`mark ${place}`} title={placeHints[place]}>
                {word}
              </span>
            )}
          </>
        ),
        sort: model.key,
      },
      {
        content: (
          <span className="score">
            {quality === null || standings.unit !== 'fraction' ? null : (
              <IntervalBar {...quality} tone={place === 'best' || place === 'tied' ? place : 'behind'} />
            )}
            <span>{qualityText(standing, standings)}</span>
          </span>
        ),
        sort: quality?.value ?? null,
      },
      { content: place === 'best' ? dash : differenceText(standing, standings), sort: standing.behindBest?.difference ?? 0 },
      { content: formatDuration(standing.latencyP50Ms), sort: standing.latencyP50Ms },
      { content: formatDuration(standing.latencyP95Ms), sort: standing.latencyP95Ms },
      { content: formatFixed(standing.decodeTokensPerSecond, 1), sort: standing.decodeTokensPerSecond },
      { content: formatBytes(standing.peakRssBytes), sort: standing.peakRssBytes },
      { content: unreadable.text, sort: unreadable.sum },
    ],
  };
}

export function StandingsTable({ standings }: { readonly standings: Standings }) {
  const paired = standings.models.filter(({ behindBest }) => behindBest !== null);
  const method =
    paired.length === 0
      ? ''
      : paired.every(({ behindBest }) => behindBest!.isPaired)
        ? ' Differences are paired on the same items.'
        : ' Differences come from the two intervals.';
  return (
    <>
      <Table caption="Models by score" columns={columns} rows={standings.models.map((standing) => rowOf(standing, standings))} />
      <p className="note">
        Score: mean primary metric over {standings.tasks.length} {standings.tasks.length === 1 ? 'task' : 'tasks'} that all models ran, with
        a 95 % interval. Latency: mean of the tasks’ percentiles.{method}
        {standings.leftOut.length > 0 ? ` Not in the mean: ${standings.leftOut.join(', ')}.` : ''}
      </p>
    </>
  );
}
