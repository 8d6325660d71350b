// The answer of a report in words: which model to take, why, what else could be taken, and what stands against believing it.

import { dash, formatBytes, formatDuration, formatFixed, formatPercent } from './format-values.ts';
import { measurementsOf } from './perf/measurements.ts';
import type { Standing, Standings } from './standings.ts';
import type { ReportView } from './view-model.ts';

export interface Alternative {
  /** `Quickest`, `Smallest`, `Highest score`. */
  readonly label: string;
  readonly model: string;
  readonly text: string;
}

export interface Decision {
  /** Stands before and after the name in the headline. */
  readonly before: string;
  readonly model: string | null;
  readonly after: string;
  readonly reasons: readonly string[];
  readonly alternatives: readonly Alternative[];
  /** Why the figures may mislead; empty where nothing was found. */
  readonly cautions: readonly string[];
}

/** `61.2 % [58.9, 63.4]`. */
export function qualityText(standing: Standing, standings: Standings): string {
  const { quality } = standing;
  if (quality === null) return dash;
  if (standings.unit !== 'fraction')
    return `${formatFixed(quality.value, 4)}${quality.low === null ? '' : ` [${formatFixed(quality.low, 4)}, ${formatFixed(quality.high, 4)}]`}`;
  const range = quality.low === null ? '' : ` [${(quality.low * 100).toFixed(1)}, ${(quality.high! * 100).toFixed(1)}]`;
  return formatPercent(quality.value) + range;
}

function signed(value: number, text: (value: number) => string): string {
  return value < 0 ? `−${text(-value)}` : text(value);
}

/** `−12.3 pp [−15.0, −9.6]`: this model minus the best. */
export function differenceText({ behindBest }: Standing, standings: Standings): string {
  if (behindBest === null) return dash;
  const isShare = standings.unit === 'fraction';
  const text = (value: number): string => signed(value, (size) => (isShare ? (size * 100).toFixed(1) : size.toFixed(4)));
  const { difference, low, high } = behindBest;
  return `${difference > 0 ? '+' : ''}${text(difference)}${isShare ? ' pp' : ''} [${text(low)}, ${text(high)}]`;
}

/** `11.9 pp [8.6, 15.2] behind`: the distance to the best, positive. */
function distanceText({ behindBest }: Standing, standings: Standings): string {
  if (behindBest === null) return 'behind';
  const isShare = standings.unit === 'fraction';
  const text = (value: number): string => signed(value, (size) => (isShare ? (size * 100).toFixed(1) : size.toFixed(4)));
  const direction = standings.higherIsBetter ? -1 : 1;
  const [low, high] = [behindBest.low * direction, behindBest.high * direction].toSorted((a, b) => a - b) as [number, number];
  return `${text(behindBest.difference * direction)}${isShare ? ' pp' : ''} [${text(low)}, ${text(high)}] behind`;
}

/** Largest loss of score that a cheaper model may have: few answers alone do not make models equal. */
const tolerated = 0.03;

function isAsGood({ place, behindBest, quality }: Standing, best: Standing): boolean {
  if (place !== 'tied' || behindBest === null || quality === null) return false;
  const scale = Math.max(best.quality!.value, 1);
  return Math.abs(behindBest.difference) <= tolerated * scale;
}

/** Product of what is known of latency and memory: the cheaper of two equals. */
function cost({ latencyP50Ms, peakRssBytes, sizeBytes }: Standing): number {
  return (latencyP50Ms ?? 1) * (peakRssBytes ?? sizeBytes ?? 1);
}

function factor(more: number | null, less: number | null, word: string): string[] {
  if (more === null || less === null || less <= 0 || more / less < 1.05) return [];
  return [`${(more / less).toFixed(1)} times ${word}`];
}

function whatMean(standings: Standings): string {
  const count = standings.tasks.length;
  return count === 1 ? `on ${standings.tasks[0]!.task.key}` : `on average over ${count} tasks`;
}

function reasonsFor(taken: Standing, best: Standing, standings: Standings): string[] {
  const score = `${qualityText(taken, standings)} ${whatMean(standings)}`;
  const others = standings.models.filter((standing) => standing.place === 'tied' && standing !== taken);
  const costs = `It answers in ${formatDuration(taken.latencyP50Ms)} (median) with a peak of ${formatBytes(taken.peakRssBytes)} memory.`;
  if (taken !== best) {
    const gains = [
      ...factor(best.latencyP50Ms, taken.latencyP50Ms, 'quicker'),
      ...factor(best.peakRssBytes, taken.peakRssBytes, 'smaller in memory'),
    ];
    return [
      `Score ${score}. The highest is ${qualityText(best, standings)} (${best.model.key}); the difference of ${differenceText(taken, standings)} cannot be told from none.`,
      gains.length === 0
        ? costs
        : `Among the models that cannot be told from the best it is the cheapest: ${gains.join(' and ')} than ${best.model.key}. ${costs}`,
    ];
  }
  const next = standings.models.find((standing) => standing.place === 'behind');
  const lead =
    others.length > 0
      ? `These answers are too few to tell it from ${others.map(({ model, behindBest }) => `${model.key} (${behindBest === null ? dash : distanceText({ ...taken, behindBest }, standings)})`).join(', ')}.`
      : next === undefined
        ? ''
        : `The next, ${next.model.key}, is ${distanceText(next, standings)}.`;
  return [`Highest score: ${score}. ${lead}`.trim(), costs];
}

function alternativesTo(taken: Standing, best: Standing, standings: Standings): Alternative[] {
  const least = (measure: (standing: Standing) => number | null): Standing | undefined =>
    standings.models.filter((one) => one.quality !== null && measure(one) !== null).toSorted((a, b) => measure(a)! - measure(b)!)[0];
  const wanted: [string, Standing | undefined][] = [
    ['Highest score', best],
    ['Quickest', least(({ latencyP50Ms }) => latencyP50Ms)],
    ['Smallest in memory', least(({ peakRssBytes }) => peakRssBytes)],
  ];
  const byModel = new Map<Standing, string[]>();
  for (const [label, standing] of wanted) {
    if (standing === undefined || standing === taken) continue;
    byModel.set(standing, [...(byModel.get(standing) ?? []), byModel.has(standing) ? label.toLowerCase() : label]);
  }
  return [...byModel].map(([standing, labels]) => ({
    label: labels.join(' and '),
    model: standing.model.key,
    text: `${qualityText(standing, standings)}, ${formatDuration(standing.latencyP50Ms)}, ${formatBytes(standing.peakRssBytes)}`,
  }));
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function cautionsOf(view: ReportView): string[] {
  const entries = view.tasks.flatMap((task) => task.results.map(({ entry }) => entry));
  const sum = (key: 'error' | 'missing'): number => entries.reduce((total, entry) => total + entry.counts[key], 0);
  const doubtful = entries.filter((entry) => entry.validity.verdict !== 'valid').length;
  const open = view.records.filter((record) => record.status !== 'complete');
  return [
    ...open.map((record) => `Run ${record.id} is ${record.status}.`),
    ...(view.records.some((record) => record.smoke) ? ['A prefix of the data was run: this shows that it works, not how good it is.'] : []),
    ...(sum('error') > 0 ? [`${count(sum('error'), 'request')} failed and are in no score.`] : []),
    ...(sum('missing') > 0 ? [`${count(sum('missing'), 'planned answer is', 'planned answers are')} missing.`] : []),
    ...(doubtful > 0 ? [`${doubtful} of ${count(entries.length, 'result')} carry a warning; the reasons are below.`] : []),
  ];
}

/** Among the models that cannot be told from the best score, the cheapest in latency and memory. */
export function decide(view: ReportView, standings: Standings): Decision {
  const cautions = cautionsOf(view);
  const best = standings.models.find(({ place }) => place === 'best');
  const measured = view.models.length === 0 && measurementsOf(view.records).length > 0;
  if (best === undefined && measured) {
    const [only] = view.records;
    const after = view.records.length === 1 ? only!.name : `Measurements of ${view.records.length} runs`;
    const reasons = ['No task was scored here: what was measured is under Measurements.'];
    return { before: '', model: null, after, reasons, alternatives: [], cautions };
  }
  if (best === undefined) {
    const reasons =
      view.models.length === 0
        ? ['The records hold no result.']
        : ['No task was run by all models on the same items: the tables below stand side by side, not against each other.'];
    return { before: '', model: null, after: 'No model can be named', reasons, alternatives: [], cautions };
  }
  if (standings.models.length === 1) {
    return {
      before: '',
      model: best.model.key,
      after: `scores ${qualityText(best, standings)} ${whatMean(standings)}`,
      reasons: [
        `It answers in ${formatDuration(best.latencyP50Ms)} (median) with a peak of ${formatBytes(best.peakRssBytes)} memory.`,
        'One model was measured: run others on the same tasks to choose between them.',
      ],
      alternatives: [],
      cautions,
    };
  }
  const digests = new Set(standings.models.map(({ model }) => model.facts.digest));
  if (digests.size === 1 && !digests.has(null)) {
    const [newest] = view.records.toSorted((a, b) => (a.created < b.created ? 1 : -1));
    const last = standings.models.find(({ summary }) => summary.results.some(({ record }) => record === newest)) ?? best;
    return {
      before: '',
      model: best.model.reference,
      after: `in ${standings.models.length} runs`,
      reasons: [
        `The newest, ${last.model.key}, scores ${qualityText(last, standings)} ${whatMean(standings)}; the highest is ${qualityText(best, standings)} (${best.model.key}).`,
      ],
      alternatives: [],
      cautions,
    };
  }
  const equals = standings.models.filter((standing) => standing === best || isAsGood(standing, best));
  const taken = equals.reduce((cheapest, standing) => (cost(standing) < cost(cheapest) ? standing : cheapest));
  return {
    before: 'Take',
    model: taken.model.key,
    after: '',
    reasons: reasonsFor(taken, best, standings),
    alternatives: alternativesTo(taken, best, standings),
    cautions,
  };
}
