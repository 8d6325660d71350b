// The first page of a run: warnings, progress or results, and the pictures of the report.
import { type ReactNode, useMemo } from 'react';
import type { RunRecord } from '../../../core/record.ts';
import { buildConfusionOption } from '../../../report/charts/build-confusion-option.ts';
import { buildReliabilityOption } from '../../../report/charts/build-reliability-option.ts';
import type { Chart } from '../../../report/charts/chart.ts';
import type { ChartTheme } from '../../../report/charts/chart-theme.ts';
import { overviewCharts } from '../../../report/charts/report-charts.ts';
import { dash, formatDuration, formatPercent } from '../../../report/format-values.ts';
import { buildStandings } from '../../../report/standings.ts';
import { buildReportView } from '../../../report/view-model.ts';
import type { Progress, RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { ChartView } from '../parts/chart-view.tsx';
import { IntervalBar, MetricCell } from '../parts/metric.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { useChartTheme } from '../parts/use-theme.ts';
import { hashOf } from '../route.ts';
import { RunLog } from './run-log.tsx';
import { RunQuantisation } from './run-quantisation.tsx';
import { RunSpeed } from './run-speed.tsx';

const mostDetailCharts = 12;
const comparing: ReadonlySet<string> = new Set(['tradeoff', 'radar_chart', 'radar']);

/** One line per reason, with the results that it concerns. */
function groupWarnings(record: RunRecord): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { model, task, validity } of record.results)
    for (const { message } of validity.reasons) {
      const where = record.models.length > 1 ? `${model} on ${task}` : task;
      reasons.set(message, [...(reasons.get(message) ?? []), where]);
    }
  return [...reasons].map(([message, where]) => {
    const isAll = where.length === record.results.length && where.length > 1;
    return `${message} (${isAll ? 'all results' : where.join(', ')})`;
  });
}

function Warnings({ record }: { readonly record: RunRecord }): ReactNode {
  const warnings = groupWarnings(record);
  if (warnings.length === 0 && !record.smoke) return null;
  return (
    <div className="notice" role="note">
      {record.smoke ? <p>A smoke run: a prefix of the data, not to be published.</p> : null}
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Outside text={warning} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Meter({ progress }: { readonly progress: Progress }): ReactNode {
  const share = progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <span className="progress-line">
      <progress max={Math.max(1, progress.total)} value={progress.done} aria-label={`${progress.model} on ${progress.task}`} />
      <span className="muted small">
        {progress.done.toLocaleString('en')} / {progress.total.toLocaleString('en')} ({formatPercent(share, 0)})
      </span>
    </span>
  );
}

function Counts({
  progress,
  id,
  hasPartial,
}: {
  readonly progress: Progress;
  readonly id: string;
  readonly hasPartial: boolean;
}): ReactNode {
  const link = (outcome: 'right' | 'wrong' | 'partial' | 'invalid' | 'error', tone: string): ReactNode =>
    progress[outcome] === 0 ? (
      <span className="muted">0</span>
    ) : (
      <a className={`count count-${tone}`} href={hashOf(['runs', id, 'samples'], { model: progress.model, task: progress.task, outcome })}>
        {progress[outcome].toLocaleString('en')}
      </a>
    );
  return (
    <>
      <td className="number">{link('right', 'good')}</td>
      <td className="number">{link('wrong', 'bad')}</td>
      {hasPartial ? <td className="number">{link('partial', 'warn')}</td> : null}
      <td className="number">{link('invalid', 'warn')}</td>
      <td className="number">{link('error', 'bad')}</td>
    </>
  );
}

/** Results of a finished run and progress of one that goes on are the same table: one grows into the other. */
function ResultsTable({ detail }: { readonly detail: RunDetail }): ReactNode {
  const isOpen = detail.run.state === 'running' || detail.run.state === 'unfinished';
  const { id } = detail.run;
  const hasPartial = detail.progress.some(({ partial }) => partial > 0);
  return (
    <section aria-label="Results">
      <TableFrame label="Results by model and task">
        <table className="rows" data-testid="results">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Model</th>
              <th scope="col">{isOpen ? 'Score so far, with 95 % interval' : 'Score, with 95 % interval'}</th>
              <th scope="col">Samples</th>
              <th scope="col" className="number">
                Right
              </th>
              <th scope="col" className="number">
                Wrong
              </th>
              {hasPartial ? (
                <th scope="col" className="number">
                  Partial
                </th>
              ) : null}
              <th scope="col" className="number">
                Invalid
              </th>
              <th scope="col" className="number">
                Error
              </th>
              <th scope="col" className="number">
                Mean time
              </th>
            </tr>
          </thead>
          <tbody>
            {detail.progress.map((one) => (
              <tr key={`${one.model} ${one.task}`} data-row={`${one.model} ${one.task}`}>
                <th scope="row">
                  <a href={hashOf(['runs', id, 'samples'], { task: one.task, model: one.model })} data-open>
                    <Outside text={one.task} />
                  </a>
                </th>
                <td>
                  <Outside text={one.model} />
                </td>
                <td>
                  <span className="with-bar">
                    {one.primary?.unit === 'fraction' ? <IntervalBar metric={one.primary} /> : null}
                    <MetricCell metric={one.primary} />
                    {one.primary === null ? null : (
                      <span className="muted small">
                        {one.primary.name}
                        {one.primary.average === null ? '' : ` ${one.primary.average}`}
                      </span>
                    )}
                  </span>
                </td>
                <td>{isOpen || one.done < one.total ? <Meter progress={one} /> : one.total.toLocaleString('en')}</td>
                <Counts progress={one} id={id} hasPartial={hasPartial} />
                <td className="number">{one.meanMs === null ? dash : formatDuration(one.meanMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function detailCharts(record: RunRecord, theme: ChartTheme): readonly Chart[] {
  return record.results
    .flatMap((result) => {
      const details = Object.values(result.metrics.details);
      const about = (kind: string) => ({ id: `${kind} ${result.model} ${result.task}`, model: result.model, task: result.task });
      const confusion = details.find((one) => one.confusion !== undefined)?.confusion;
      const reliability = details.find((one) => one.reliability !== undefined)?.reliability;
      return [
        ...(confusion === undefined ? [] : [named(buildConfusionOption(confusion, about('confusion'), theme), result)]),
        ...(reliability === undefined ? [] : [named(buildReliabilityOption(reliability, about('reliability'), theme), result)]),
      ];
    })
    .filter((chart) => chart.noData === null)
    .slice(0, mostDetailCharts);
}

function named(chart: Chart, { model, task }: { readonly model: string; readonly task: string }): Chart {
  return { ...chart, title: `${chart.title}: ${model} on ${task}` };
}

function Charts({ record }: { readonly record: RunRecord }): ReactNode {
  const theme = useChartTheme();
  const charts = useMemo(() => {
    const view = buildReportView([record]);
    const standings = buildStandings(view);
    // One model makes neither a front nor a shape.
    const isAlone = view.models.length < 2;
    return overviewCharts(view, standings, theme).filter((chart) => chart.noData === null && !(isAlone && comparing.has(chart.id)));
  }, [record, theme]);
  const more = useMemo(() => detailCharts(record, theme), [record, theme]);
  return (
    <>
      <div className="charts">
        {charts.map((chart) => (
          <ChartView key={chart.id} chart={chart} />
        ))}
      </div>
      {more.length === 0 ? null : (
        <details className="more-charts">
          <summary>Confusion and reliability ({more.length})</summary>
          <div className="charts small-charts">
            {more.map((chart) => (
              <div key={chart.id}>
                <h3>
                  <Outside text={chart.title} />
                </h3>
                <ChartView chart={chart} />
              </div>
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function Categories({ record, id }: { readonly record: RunRecord; readonly id: string }): ReactNode {
  const shown = record.results.filter((result) => result.categories.length > 1);
  if (shown.length === 0) return null;
  return (
    <details>
      <summary>By category</summary>
      {shown.map((result) => (
        <TableFrame key={`${result.model} ${result.task}`} label={`${result.model} on ${result.task} by category`}>
          <table className="rows compact">
            <caption>
              <Outside text={`${result.model} on ${result.task}`} />
            </caption>
            <thead>
              <tr>
                <th scope="col">Category</th>
                <th scope="col" className="number">
                  Items
                </th>
                <th scope="col">{result.primary?.name ?? 'score'}</th>
              </tr>
            </thead>
            <tbody>
              {result.categories.map((category) => (
                <tr key={category.category}>
                  <th scope="row">
                    <a href={hashOf(['runs', id, 'samples'], { model: result.model, task: result.task, category: category.category })}>
                      <Outside text={category.category} />
                    </a>
                  </th>
                  <td className="number">{category.n}</td>
                  <td>
                    <MetricCell
                      metric={
                        category.values.find((value) => value.name === result.primary?.name && value.average === result.primary.average) ??
                        null
                      }
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      ))}
    </details>
  );
}

/** A run without tasks: what it measured instead. */
function Measured({ detail }: { readonly detail: RunDetail }): ReactNode {
  return detail.quantisation == null ? <RunSpeed detail={detail} /> : <RunQuantisation detail={detail} />;
}

export function RunOverview({ detail }: { readonly detail: RunDetail }): ReactNode {
  const { record, run } = detail;
  const isOpen = run.state === 'running' || run.state === 'unfinished';
  return (
    <>
      {run.state === 'running' && run.total !== null && run.done !== null ? (
        <div className="live" role="status" aria-live="off">
          <progress max={run.total} value={run.done} aria-label="Samples done" />
          <span>
            <b data-testid="done">{run.done.toLocaleString('en')}</b> of {run.total.toLocaleString('en')} samples
          </span>
        </div>
      ) : null}
      {run.state === 'unfinished' ? <div className="notice">This run was stopped. The same command goes on where it ended.</div> : null}
      {record === null || isOpen ? null : <Warnings record={record} />}
      {detail.progress.length === 0 ? <Measured detail={detail} /> : <ResultsTable detail={detail} />}
      {record === null || isOpen ? null : <Categories record={record} id={run.id} />}
      {record === null || isOpen ? <RunLog detail={detail} /> : <Charts record={record} />}
    </>
  );
}
