// Draws a chart of the report room. The chart library is a script of its own that is loaded with the first chart.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Chart } from '../../../report/charts/chart.ts';
import type { initChart } from '../../../report/charts/echarts-parts.ts';

declare global {
  interface Window {
    slmbenchCharts?: { readonly initChart: typeof initChart };
  }
}

/** Replaced by the build with the name of the charts script. */
const chartsScript = '%CHARTS_SCRIPT%';
let loading: Promise<typeof initChart> | null = null;

function loadCharts(): Promise<typeof initChart> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `./${chartsScript}`;
    script.onload = () =>
      window.slmbenchCharts === undefined ? reject(new Error('charts did not load')) : resolve(window.slmbenchCharts.initChart);
    script.onerror = () => {
      loading = null;
      reject(new Error('charts did not load'));
    };
    document.head.append(script);
  });
  return loading;
}

export function ChartView({ chart }: { readonly chart: Chart }): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<ReturnType<typeof initChart> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    loadCharts().then(
      (init) => {
        if (!isCurrent || frame.current === null) return;
        drawn.current ??= init(frame.current, null, { renderer: 'svg' });
        drawn.current.resize();
        drawn.current.setOption(chart.option, { notMerge: true });
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [chart]);
  useEffect(() => {
    const observer = new ResizeObserver(() => drawn.current?.resize());
    observer.observe(frame.current!);
    return () => {
      observer.disconnect();
      drawn.current?.dispose();
      drawn.current = null;
    };
  }, []);
  return (
    <figure className="chart" style={{ maxWidth: chart.widthPx + 2 }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide chart scrolls on a phone */}
      <section className="chart-scroll" tabIndex={0} aria-label={chart.title}>
        <div
          ref={frame}
          className="chart-frame"
          role="img"
          aria-label={chart.description}
          style={{ height: chart.heightPx, minWidth: Math.min(chart.widthPx, 560) }}
        />
      </section>
      {failed ? <figcaption className="muted">The chart could not be drawn; the tables hold the same numbers.</figcaption> : null}
    </figure>
  );
}
