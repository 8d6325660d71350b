// Quantisations of one model side by side: what each costs in quality and saves in size, time and memory.
import { type ReactNode, useMemo } from 'react';
import { quantCharts } from '../../../report/charts/quant-charts.ts';
import { quantDoubts, quantNotes, quantTables } from '../../../report/perf/quant-tables.ts';
import { quantViewOf } from '../../../report/perf/quant-view.ts';
import type { RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { ChartView } from '../parts/chart-view.tsx';
import { Empty } from '../parts/feedback.tsx';
import { Outside } from '../parts/text.tsx';
import { Remarks, TextTable } from '../parts/text-table.tsx';
import { useChartTheme } from '../parts/use-theme.ts';

export function RunQuantisation({ detail: { quantisation } }: { readonly detail: RunDetail }): ReactNode {
  const theme = useChartTheme();
  const charts = useMemo(() => quantCharts([quantisation], theme), [quantisation, theme]);
  const view = quantViewOf(quantisation);
  if (view === null) return <Empty title="This run compares no quantisations." />;
  return (
    <>
      <Remarks remarks={quantDoubts(view)} />
      {quantTables(view).map((table) => (
        <TextTable key={table.title} table={table} />
      ))}
      <div className="charts">
        {charts.map((chart) => (
          <ChartView key={chart.id} chart={chart} />
        ))}
      </div>
      <section>
        <h2>What the figures rest on</h2>
        <ul className="muted">
          {quantNotes(view).map((note) => (
            <li key={note}>
              <Outside text={note} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
