// The whole page, in the order in which a reader asks: which one, how sure, how it looks, why, which answers, made where.
import type { Decision } from '../decision.ts';
import type { ExplorerData } from '../explorer-data.ts';
import type { Flips } from '../flips.ts';
import { measurementsOf } from '../perf/measurements.ts';
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx';
import { DecisionHeader } from './decision-header.tsx';
import { EnvironmentSection } from './environment-section.tsx';
import { FlipsTable } from './flips-table.tsx';
import { MeasurementsSection } from './measurements-section.tsx';
import { ModelTable } from './model-table.tsx';
import { SampleSection } from './sample-section.tsx';
import { StandingsTable } from './standings-table.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { TaskMatrix } from './task-matrix.tsx';
import { TaskSection } from './task-section.tsx';
import { visibleText } from './visible-text.ts';

export interface ReportPageProps {
  readonly view: ReportView;
  readonly standings: Standings;
  readonly decision: Decision;
  readonly flips: readonly Flips[];
  readonly samples: ExplorerData | null;
  readonly overview: readonly ChartFigureProps[];
  readonly taskCharts: readonly { readonly task: string; readonly figure: ChartFigureProps }[];
}

function Sections({ props }: { readonly props: ReportPageProps }) {
  const links: [string, string][] = [
    ['results', 'Results'],
    ['charts', 'Charts'],
    ...(measurementsOf(props.view.records).length === 0 ? [] : [['measurements', 'Measurements'] as [string, string]]),
    ...(props.view.tasks.length === 0 ? [] : [['tasks', 'Tasks'] as [string, string]]),
    ...(props.samples === null ? [] : [['samples', 'Samples'] as [string, string]]),
    ['models', 'Models'],
    ['reproduce', 'Reproduce'],
  ];
  return (
    <nav aria-label="Sections">
      {links.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
      <button type="button" id="theme" hidden aria-label="Switch between light and dark">
        ◐
      </button>
    </nav>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <details className="warnings">
      <summary>
        {warnings.length} {warnings.length === 1 ? 'warning' : 'warnings'} about validity
      </summary>
      <ul>
        {[...new Set(warnings)].map((warning) => (
          <li key={warning}>{visibleText(warning)}</li>
        ))}
      </ul>
    </details>
  );
}

export function ReportPage(props: ReportPageProps) {
  const { view, standings, decision, flips, samples, overview, taskCharts } = props;
  const measurements = measurementsOf(view.records);
  return (
    <>
      <a className="skip" href="#results">
        Skip to the results
      </a>
      <DecisionHeader view={view} decision={decision} />
      <Sections props={props} />
      <main>
        <section id="results" aria-labelledby="results-title">
          <h2 id="results-title">Results</h2>
          {view.tasks.length === 0 ? (
            <p className="note">No task was scored.</p>
          ) : (
            <>
              <SummaryCards view={view} standings={standings} />
              <Warnings warnings={view.warnings} />
              <StandingsTable standings={standings} />
            </>
          )}
          {view.tasks.length > 1 ? <TaskMatrix view={view} standings={standings} /> : null}
        </section>
        <section id="charts" aria-labelledby="charts-title">
          <h2 id="charts-title">Charts</h2>
          {overview.map((figure) => (
            <ChartFigure key={figure.id} {...figure} />
          ))}
        </section>
        {measurements.length === 0 ? null : (
          <section id="measurements" aria-labelledby="measurements-title">
            <h2 id="measurements-title">Measurements</h2>
            <MeasurementsSection measurements={measurements} />
          </section>
        )}
        {view.tasks.length === 0 ? null : (
          <section id="tasks" aria-labelledby="tasks-title">
            <h2 id="tasks-title">Tasks</h2>
            {view.tasks.map((task, index) => (
              <TaskSection
                key={task.task.key}
                task={task}
                standings={standings}
                anchor={`task-${index}`}
                charts={taskCharts.filter(({ task: key }) => key === task.task.key).map(({ figure }) => figure)}
              />
            ))}
            {flips.length === 0 ? null : <FlipsTable flips={flips} />}
          </section>
        )}
        {samples === null ? null : (
          <section id="samples" aria-labelledby="samples-title">
            <h2 id="samples-title">Samples</h2>
            <SampleSection data={samples} />
          </section>
        )}
        <section id="models" aria-labelledby="models-title">
          <h2 id="models-title">Models</h2>
          <ModelTable view={view} />
        </section>
        <section id="reproduce" aria-labelledby="reproduce-title">
          <h2 id="reproduce-title">Reproduce</h2>
          {view.records.map((record) => (
            <EnvironmentSection key={record.id} record={record} />
          ))}
        </section>
      </main>
      <footer>Made by slmbench. This file needs no network and runs no code from its data.</footer>
    </>
  );
}
