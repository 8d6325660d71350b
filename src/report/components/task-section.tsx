// One task: what it is, every model's score and speed, then classes, categories and further metrics.
import type { MetricValue } from '../../core/metric.ts';
import { dash, formatDuration, formatFixed, formatMetric } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ViewResult, ViewTask } from '../view-model.ts';
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx';
import { ClassResults } from './class-results.tsx';
import { Name } from './name.tsx';
import { ErrorRate, InvalidRate, TruncatedRate } from './rates.tsx';
import { type Column, Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

const right = 'right' as const;
const number = (title: string, hint?: string): Column => ({ title, hint, align: right, sortable: true });

const columns: readonly Column[] = [
  { title: 'Model', sortable: true },
  number('Result [95 %]'),
  number('n', 'answers the score rests on'),
  number('Invalid', 'could not be read; counted as wrong'),
  number('Error', 'request failed; in no score'),
  number('Truncated', 'ended at the token limit'),
  number('TTFT p50', 'time to the first token'),
  number('Latency p50'),
  number('p95'),
  number('p99'),
  number('In tok/s', 'prompt tokens read per second'),
  number('Out tok/s', 'tokens generated per second'),
  { title: 'Validity' },
];

function resultRow(task: ViewTask, { model, entry }: ViewResult) {
  const { speed, counts, validity } = entry;
  const percentile = (name: 'p50' | 'p95' | 'p99') => {
    const value = speed.latencyMs[name];
    const isWeak = value !== null && speed.latencyMs.weak.includes(name);
    return {
      content: isWeak ? (
        <span title={`rests on ${speed.latencyMs.n} samples: too few`}>{formatDuration(value)}*</span>
      ) : (
        formatDuration(value)
      ),
      sort: value,
    };
  };
  const isBest = task.results.length > 1 && task.best === model.key;
  return {
    key: model.key,
    cells: [
      { content: <Name>{model.key}</Name>, sort: model.key },
      {
        content: formatMetric(entry.primary),
        sort: entry.primary?.value ?? null,
        className: isBest ? 'is-best' : task.overlapsBest.includes(model.key) ? 'is-tied' : undefined,
      },
      { content: entry.primary?.n ?? 0, sort: entry.primary?.n ?? 0 },
      { content: <InvalidRate counts={counts} />, sort: counts.invalid },
      { content: <ErrorRate counts={counts} />, sort: counts.error },
      { content: <TruncatedRate counts={counts} />, sort: counts.truncated },
      { content: formatDuration(speed.ttftMs.p50), sort: speed.ttftMs.p50 },
      percentile('p50'),
      percentile('p95'),
      percentile('p99'),
      { content: formatFixed(speed.prefillTokensPerSecond, 1), sort: speed.prefillTokensPerSecond },
      { content: formatFixed(speed.decodeTokensPerSecond, 1), sort: speed.decodeTokensPerSecond },
      { content: <span className={`verdict ${validity.verdict}`}>{validity.verdict}</span> },
    ],
  };
}

const metricName = ({ name, average }: MetricValue): string => (average === null ? name : `${name} (${average})`);

function MetricTable({ results, about }: { readonly results: readonly ViewResult[]; readonly about: string }) {
  const names = [...new Set(results.flatMap(({ entry }) => entry.metrics.values.map(metricName)))];
  const rows = names.map((name) => ({
    key: name,
    cells: [
      { content: name },
      ...results.map(({ entry }) => {
        const metric = entry.metrics.values.find((value) => metricName(value) === name);
        const range = metric?.interval == null ? '' : ` [${metric.interval.low.toFixed(4)}, ${metric.interval.high.toFixed(4)}]`;
        return {
          content: (
            <>
              {formatFixed(metric?.value, 4)}
              <small>{range}</small>
            </>
          ),
          sort: metric?.value ?? null,
        };
      }),
    ],
  }));
  return (
    <Table
      caption={`All metrics, ${about}`}
      columns={[{ title: 'Metric' }, ...results.map(({ model }) => ({ title: model.key, align: right }))]}
      rows={rows}
    />
  );
}

function CategoryTable({ results, about }: { readonly results: readonly ViewResult[]; readonly about: string }) {
  const names = [...new Set(results.flatMap(({ entry }) => entry.categories.map(({ category }) => category)))].sort();
  if (names.length < 2) return null;
  const rows = names.map((name) => ({
    key: name,
    cells: [
      { content: <Name>{name}</Name>, sort: name },
      { content: Math.max(...results.map(({ entry }) => entry.categories.find(({ category }) => category === name)?.n ?? 0)) },
      ...results.map(({ entry }) => {
        const primary = entry.primary;
        const value = entry.categories
          .find(({ category }) => category === name)
          ?.values.find((candidate) => candidate.name === primary?.name && candidate.average === primary.average);
        return { content: value === undefined ? dash : formatMetric(value).replace(/ \[.*$/, ''), sort: value?.value ?? null };
      }),
    ],
  }));
  const heads = results.map(({ model }) => ({ title: model.key, align: right, sortable: true }));
  return (
    <Table
      caption={`Categories, ${about}`}
      columns={[{ title: 'Category', sortable: true }, { title: 'n', align: right }, ...heads]}
      rows={rows}
    />
  );
}

function Facts({ task: { task } }: { readonly task: ViewTask }) {
  const { dataset } = task;
  return (
    <p className="note">
      {visibleText(task.title)}, version {visibleText(task.version)}, protocol {task.protocol}, request {task.kind}. Dataset{' '}
      <Name>{dataset.name}</Name>, split {visibleText(dataset.split)}: {task.sampleIds.length.toLocaleString('en')} of{' '}
      {dataset.splitSize.toLocaleString('en')} rows ({task.selection}), manifest <code>{task.manifest.slice(0, 16)}</code>, licence{' '}
      {visibleText(dataset.licence)}.{task.fewShotIds.length > 0 ? ` ${task.fewShotIds.length} examples in the prompt.` : ''}{' '}
      {dataset.notes.map(visibleText).join(' ')}
    </p>
  );
}

export interface TaskSectionProps {
  readonly task: ViewTask;
  readonly standings: Standings;
  readonly anchor: string;
  readonly charts: readonly ChartFigureProps[];
}

export function TaskSection({ task, standings, anchor, charts }: TaskSectionProps) {
  const key = task.task.key;
  const results = standings.models.flatMap(({ model }) => task.results.find((result) => result.model.key === model.key) ?? []);
  const withClasses = results.filter(({ entry }) =>
    Object.values(entry.metrics.details).some((one) => one.perClass !== undefined || one.confusion !== undefined),
  );
  return (
    <section className="task" id={anchor} aria-labelledby={`${anchor}-title`}>
      <h3 id={`${anchor}-title`}>
        <Name>{key}</Name>
      </h3>
      <Facts task={task} />
      <Table caption={`Results on ${key}`} columns={columns} rows={results.map((result) => resultRow(task, result))} />
      {charts.length === 0 ? null : (
        <div className="figures">
          {charts.map((chart) => (
            <ChartFigure key={chart.id} {...chart} />
          ))}
        </div>
      )}
      <details>
        <summary>All metrics{results.some(({ entry }) => entry.categories.length > 1) ? ' and categories' : ''}</summary>
        <MetricTable results={results} about={key} />
        <CategoryTable results={results} about={key} />
      </details>
      {withClasses.map((result, index) => (
        <details key={result.model.key} open={index === 0}>
          <summary>
            Classes and confusion of <Name>{result.model.key}</Name>
          </summary>
          <ClassResults details={result.entry.metrics.details} about={`${result.model.key} on ${key}`} />
        </details>
      ))}
    </section>
  );
}
