// Specialised models: loss curves, held-out result beside its baselines, and the seeds behind it.
import { type ReactNode, useMemo } from 'react';
import { buildCurveOption } from '../../../report/charts/build-curve-option.ts';
import { dash, formatBytes, formatFixed } from '../../../report/format-values.ts';
import type { TrainingView } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Mark } from '../parts/badges.tsx';
import { ChartView } from '../parts/chart-view.tsx';
import { Empty, Shown } from '../parts/feedback.tsx';
import { IntervalBar, MetricCell, metricNumber } from '../parts/metric.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { useChartTheme } from '../parts/use-theme.ts';
import { When } from '../parts/when.tsx';
import { hashOf, type Route } from '../route.ts';

function TrainingTable({ views }: { readonly views: readonly TrainingView[] }): ReactNode {
  return (
    <TableFrame label="Specialised models">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Benchmark</th>
            <th scope="col">Model</th>
            <th scope="col">Dataset</th>
            <th scope="col">Held-out score</th>
            <th scope="col">Best baseline</th>
            <th scope="col">Made (UTC)</th>
          </tr>
        </thead>
        <tbody>
          {views.map((view) => (
            <tr key={view.id} data-row={view.id}>
              <th scope="row">
                <a href={hashOf(['training', view.id])} data-open>
                  <Outside text={view.title} />
                </a>
                {view.smoke ? <div className="muted small">smoke run</div> : null}
              </th>
              <td>
                <Outside text={view.model} />
              </td>
              <td>
                <Outside text={view.dataset} />
              </td>
              <td>
                <MetricCell metric={view.primary} />
              </td>
              <td>{bestBaseline(view)}</td>
              <td>
                <When at={view.created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function bestBaseline(view: TrainingView): string {
  const sign = view.primary?.higherIsBetter === false ? 1 : -1;
  const known = view.baselines.filter((baseline) => baseline.primary?.value != null);
  const best = known.sort((a, b) => sign * (a.primary!.value! - b.primary!.value!))[0];
  return best === undefined ? dash : `${metricNumber(best.primary)} (${best.title})`;
}

function LossChart({ view }: { readonly view: TrainingView }): ReactNode {
  const theme = useChartTheme();
  const chart = useMemo(() => {
    const several = view.seeds.length > 1;
    const curves = view.seeds.flatMap((seed) =>
      (['train', 'validation'] as const).map((kind) => ({
        name: several ? `seed ${seed.seed ?? dash}, ${kind}` : kind,
        points: seed.lossCurve.filter((point) => point.kind === kind).map((point) => ({ x: point.step, y: point.loss })),
      })),
    );
    return buildCurveOption(
      {
        id: 'loss',
        title: 'Loss',
        subtitle: 'Training and validation loss by step; the held-out test set is not in it.',
        xName: 'step',
        yName: 'loss (nats per token)',
        curves,
      },
      theme,
    );
  }, [view, theme]);
  return <ChartView chart={chart} />;
}

function Seeds({ view }: { readonly view: TrainingView }): ReactNode {
  return (
    <TableFrame label="Seeds">
      <table className="rows compact">
        <thead>
          <tr>
            <th scope="col">Seed</th>
            <th scope="col">Held-out score</th>
            {['Examples', 'Steps', 'Best step', 'Time, s'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            <th scope="col">Alarms</th>
          </tr>
        </thead>
        <tbody>
          {view.seeds.map((seed, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed may be unknown
            <tr key={at}>
              <th scope="row">{seed.seed ?? dash}</th>
              <td>
                <MetricCell metric={seed.primary} />
              </td>
              <td className="number">{seed.examples ?? dash}</td>
              <td className="number">{seed.globalSteps ?? dash}</td>
              <td className="number">{seed.bestStep ?? dash}</td>
              <td className="number">{formatFixed(seed.elapsedSeconds, 1)}</td>
              <td>
                {seed.alarms.map((alarm) => (
                  <div key={alarm}>
                    <Mark tone="warn">
                      <Outside text={alarm} />
                    </Mark>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Against({ view }: { readonly view: TrainingView }): ReactNode {
  const rows = [{ title: 'specialised', primary: view.primary }, ...view.baselines];
  const test = (title: string) => view.pairedTests.find((one) => one.baseline === title);
  return (
    <TableFrame label="Held-out test against baselines">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Held-out score</th>
            <th scope="col">Specialised minus this</th>
            <th scope="col" className="number">
              p (Holm)
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const paired = test(row.title);
            return (
              <tr key={row.title}>
                <th scope="row">
                  <Outside text={row.title} />
                </th>
                <td>
                  <span className="with-bar">
                    {row.primary?.unit === 'fraction' ? <IntervalBar metric={row.primary} /> : null}
                    <MetricCell metric={row.primary} />
                  </span>
                </td>
                <td>
                  {paired?.difference == null
                    ? dash
                    : `${paired.difference.toFixed(3)}${paired.low === null ? '' : ` [${paired.low.toFixed(3)}, ${paired.high!.toFixed(3)}]`}`}
                </td>
                <td className="number">
                  {paired?.adjustedP == null ? dash : paired.adjustedP < 0.001 ? '< 0.001' : paired.adjustedP.toFixed(3)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Training({ view }: { readonly view: TrainingView }): ReactNode {
  return (
    <>
      <p className="crumbs">
        <a href="#/training">Training</a>
      </p>
      <header className="title">
        <h1>
          <Outside text={view.title} />
        </h1>
      </header>
      <p className="lead">
        <Outside text={`${view.model}, ${view.task}, ${view.dataset}`} />
        {view.adapterSizeBytes === null ? '' : `; adapter ${formatBytes(view.adapterSizeBytes)}`}
      </p>
      <Against view={view} />
      <LossChart view={view} />
      <h2>Seeds</h2>
      <Seeds view={view} />
      {view.notes.length === 0 ? null : (
        <ul className="muted">
          {view.notes.map((note) => (
            <li key={note}>
              <Outside text={note} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function TrainingPage({ route }: { readonly route: Route }): ReactNode {
  const data = useData();
  const id = route.path[1];
  const loaded = useLoaded('training', () => data.training());
  return (
    <Shown loaded={loaded}>
      {(views) => {
        if (id !== undefined) {
          const view = views.find((one) => one.id === id);
          return view === undefined ? <Empty title="There is no such record." /> : <Training view={view} />;
        }
        return (
          <>
            <header className="title">
              <h1>Training</h1>
            </header>
            {views.length === 0 ? (
              <Empty title="No specialised model yet.">
                <p>
                  Records that <code>slmbench specialise</code> writes appear here.
                </p>
              </Empty>
            ) : (
              <TrainingTable views={views} />
            )}
          </>
        );
      }}
    </Shown>
  );
}
