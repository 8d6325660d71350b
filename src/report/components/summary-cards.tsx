// Cards under the header: what was run, and the winners by one measure each.

import { qualityText } from '../decision.ts';
import { formatBytes, formatDuration } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { Name } from './name.tsx';
import { visibleText } from './visible-text.ts';

interface Card {
  readonly title: string;
  readonly value: string;
  readonly detail: string;
  readonly isName?: boolean;
}

function leastBy(standings: Standings, measure: (standing: Standing) => number | null): Standing | null {
  const known = standings.models.filter((standing) => measure(standing) !== null);
  return known.length === 0 ? null : known.reduce((least, standing) => (measure(standing)! < measure(least)! ? standing : least));
}

/** Best score per doubling of cost among the Pareto front: the middle of the trade-off. */
function balanced(standings: Standings): Standing | null {
  const front = standings.models.filter(
    ({ onFront, quality, latencyP50Ms }) => onFront && quality !== null && latencyP50Ms !== null && latencyP50Ms > 0,
  );
  if (front.length === 0 || !standings.higherIsBetter) return null;
  const quickest = Math.min(...front.map(({ latencyP50Ms }) => latencyP50Ms!));
  const worth = (standing: Standing): number => standing.quality!.value / (1 + Math.log2(standing.latencyP50Ms! / quickest) / 4);
  return front.reduce((best, standing) => (worth(standing) > worth(best) ? standing : best));
}

function cards(view: ReportView, standings: Standings): Card[] {
  const datasets = new Set(view.tasks.map(({ task }) => task.dataset.name));
  const answers = view.tasks.reduce((sum, task) => sum + task.results.reduce((own, { entry }) => own + entry.counts.total, 0), 0);
  const best = standings.models.find(({ place }) => place === 'best') ?? null;
  const fastest = leastBy(standings, ({ latencyP50Ms }) => latencyP50Ms);
  const smallest = leastBy(standings, ({ peakRssBytes }) => peakRssBytes);
  const middle = balanced(standings);
  const suspect = view.tasks.reduce((sum, task) => sum + task.results.filter(({ entry }) => entry.validity.verdict !== 'valid').length, 0);
  const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
  const named = (title: string, standing: Standing | null, detail: (standing: Standing) => string): Card[] =>
    standing === null ? [] : [{ title, value: standing.model.key, detail: detail(standing), isName: true }];
  return [
    {
      title: 'Run',
      value: `${plural(view.models.length, 'model')}, ${plural(view.tasks.length, 'task')}`,
      detail: `${plural(datasets.size, 'dataset')}, ${answers.toLocaleString('en')} answers`,
    },
    ...named('Best score', best, (one) => qualityText(one, standings)),
    ...named('Fastest', fastest, (one) => `${formatDuration(one.latencyP50Ms)} median`),
    ...named('Smallest in memory', smallest, (one) => `${formatBytes(one.peakRssBytes)} peak`),
    ...(standings.models.length > 2
      ? named('Best trade-off', middle, (one) => `${qualityText(one, standings)} at ${formatDuration(one.latencyP50Ms)}`)
      : []),
    {
      title: 'Validity',
      value: suspect === 0 ? 'No warnings' : plural(suspect, 'result') + ' with warnings',
      detail: suspect === 0 ? 'every result passed its checks' : 'see the warnings below',
    },
  ];
}

export function SummaryCards({ view, standings }: { readonly view: ReportView; readonly standings: Standings }) {
  return (
    <dl className="cards">
      {cards(view, standings).map((card) => (
        <div key={card.title} className="card">
          <dt>{card.title}</dt>
          <dd>
            <strong>{card.isName === true ? <Name>{card.value}</Name> : visibleText(card.value)}</strong>
            <span>{card.detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
