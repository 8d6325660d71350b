// Models ranked over all runs, each table within one test set.
import type { ReactNode } from 'react';
import { dash, formatBytes, formatDuration, formatFixed } from '../../../report/format-values.ts';
import { buildLeaderboard, type LeaderboardBoard } from '../../../report/viewer/build-leaderboard.ts';
import type { LeaderboardEntry } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Mark, ValidityBadge } from '../parts/badges.tsx';
import { Search, Select } from '../parts/controls.tsx';
import { Empty, Shown } from '../parts/feedback.tsx';
import { IntervalBar, MetricCell } from '../parts/metric.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { When } from '../parts/when.tsx';
import { changeQuery, hashOf, type Route } from '../route.ts';

type SortKey = 'score' | 'latency' | 'speed' | 'memory' | 'size';
const columns: readonly {
  readonly key: SortKey;
  readonly title: string;
  readonly value: (entry: LeaderboardEntry) => number | null;
  readonly sign: 1 | -1;
}[] = [
  { key: 'score', title: 'Score', value: (entry) => entry.primary?.value ?? null, sign: -1 },
  { key: 'latency', title: 'Latency p50', value: (entry) => entry.latencyP50Ms, sign: 1 },
  { key: 'speed', title: 'Tokens/s', value: (entry) => entry.decodeTokensPerSecond, sign: -1 },
  { key: 'memory', title: 'Peak memory', value: (entry) => entry.peakRssBytes, sign: 1 },
  { key: 'size', title: 'File', value: (entry) => entry.sizeBytes, sign: 1 },
];

function sorted(board: LeaderboardBoard, key: SortKey): readonly LeaderboardEntry[] {
  const column = columns.find((one) => one.key === key);
  if (key === 'score' || column === undefined) return board.entries;
  const rank = (entry: LeaderboardEntry): number => {
    const value = column.value(entry);
    return value === null ? Number.POSITIVE_INFINITY : column.sign * value;
  };
  return [...board.entries].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

function scaleOf(board: LeaderboardBoard): { readonly low: number; readonly high: number } {
  if (board.entries.every((entry) => entry.primary === null || entry.primary.unit === 'fraction')) return { low: 0, high: 1 };
  const ends = board.entries.flatMap(({ primary }) =>
    [primary?.interval?.low ?? primary?.value ?? [], primary?.interval?.high ?? primary?.value ?? []].flat(),
  );
  return { low: Math.min(...ends), high: Math.max(...ends) };
}

function Place({
  entry,
  board,
  at,
}: {
  readonly entry: LeaderboardEntry;
  readonly board: LeaderboardBoard;
  readonly at: number;
}): ReactNode {
  if (entry.primary?.value == null) return <span className="muted">{dash}</span>;
  if (board.entries.length === 1) return <span className="muted">only one</span>;
  if (entry === board.entries[0]) return <Mark tone="good">best</Mark>;
  if (board.overlapsBest.includes(entry.model)) return <Mark tone="quiet">overlaps best</Mark>;
  return <span className="muted">{at + 1}</span>;
}

function BoardTable({ board, route }: { readonly board: LeaderboardBoard; readonly route: Route }): ReactNode {
  const wanted = route.query.get('sort');
  const key = columns.find((column) => column.key === wanted)?.key ?? 'score';
  const scale = scaleOf(board);
  const runs = [...new Set(board.entries.map((entry) => entry.run))];
  return (
    <section className="card" aria-label={board.task}>
      <header className="title">
        <h2>
          <Outside text={board.title} />{' '}
          <span className="muted small mono">
            <Outside text={board.task} />
          </span>
        </h2>
        <span className="grow" />
        <span className="muted small" title={`test set ${board.manifest}`}>
          {board.samples.toLocaleString('en')} items{board.protocol === 'native' ? '' : `, ${board.protocol}`} · set{' '}
          {board.manifest.slice(0, 8)}
        </span>
        {board.entries.length > 1 ? (
          <a className="button" href={hashOf(['compare'], { runs: runs.join(',') })}>
            Compare
          </a>
        ) : null}
      </header>
      <TableFrame label={`Ranking on ${board.task}`}>
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Model</th>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={column.key === 'score' ? undefined : 'number'}
                  aria-sort={key === column.key ? (column.sign === 1 ? 'ascending' : 'descending') : undefined}
                >
                  <button
                    type="button"
                    className="sort"
                    onClick={() => changeQuery(route, { sort: column.key === 'score' ? null : column.key })}
                  >
                    {column.title}
                  </button>
                </th>
              ))}
              <th scope="col">Run</th>
            </tr>
          </thead>
          <tbody>
            {sorted(board, key).map((entry) => (
              <tr key={entry.model} data-row={entry.model}>
                <td className="nowrap">
                  <Place entry={entry} board={board} at={board.entries.indexOf(entry)} />
                </td>
                <th scope="row">
                  <Outside text={entry.model} />
                  {entry.quantisation === null ? null : (
                    <span className="muted small">
                      {' '}
                      <Outside text={entry.quantisation} />
                    </span>
                  )}
                </th>
                <td>
                  <span className="with-bar">
                    <IntervalBar metric={entry.primary} scale={scale} />
                    <MetricCell metric={entry.primary} />
                    <ValidityBadge verdict={entry.verdict} />
                  </span>
                </td>
                <td className="number">{formatDuration(entry.latencyP50Ms)}</td>
                <td className="number">{formatFixed(entry.decodeTokensPerSecond, 1)}</td>
                <td className="number">{formatBytes(entry.peakRssBytes)}</td>
                <td className="number">{formatBytes(entry.sizeBytes)}</td>
                <td className="nowrap">
                  <a href={hashOf(['runs', entry.run])} data-open>
                    <When at={entry.created} />
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

export function LeaderboardPage({ route }: { readonly route: Route }): ReactNode {
  const data = useData();
  const loaded = useLoaded('leaderboard', () => data.leaderboard(), { follows: 'all' });
  const { query } = route;
  return (
    <>
      <header className="title">
        <h1>Leaderboard</h1>
      </header>
      <p className="lead">The newest result of each model. Models are ranked only where they answered the same items.</p>
      <Shown loaded={loaded}>
        {(entries) => {
          const boards = buildLeaderboard(entries, {
            text: query.get('text') ?? undefined,
            tag: query.get('tag') ?? undefined,
            validOnly: query.get('valid') === '1',
          }).filter((board) => query.get('task') === null || board.task === query.get('task'));
          return (
            <>
              <search className="filters" aria-label="Filter the leaderboard">
                <Search
                  label="Search"
                  value={query.get('text') ?? ''}
                  placeholder="model, task"
                  onChange={(text) => changeQuery(route, { text })}
                />
                <Select
                  label="Task"
                  all="all"
                  value={query.get('task')}
                  options={[...new Set(entries.map((entry) => entry.task))].sort()}
                  onChange={(task) => changeQuery(route, { task })}
                />
                <Select
                  label="Tag"
                  all="any"
                  value={query.get('tag')}
                  options={[...new Set(entries.flatMap((entry) => entry.tags))].sort()}
                  onChange={(tag) => changeQuery(route, { tag })}
                />
                <label className="field-check">
                  <input
                    type="checkbox"
                    checked={query.get('valid') === '1'}
                    onChange={(event) => changeQuery(route, { valid: event.target.checked ? 1 : null })}
                  />
                  Valid results only
                </label>
              </search>
              {boards.length === 0 ? <Empty title={entries.length === 0 ? 'No finished run yet.' : 'Nothing matches.'} /> : null}
              {boards.map((board) => (
                <BoardTable key={`${board.task} ${board.manifest} ${board.entries[0]?.primary?.name}`} board={board} route={route} />
              ))}
            </>
          );
        }}
      </Shown>
    </>
  );
}
