// Puts an interactive chart in the place of each still one as it comes into view.

import { memberOf } from '../../../core/count-names.ts';
import type { Chart } from '../../charts/chart.ts';
import { darkChartTheme, lightChartTheme } from '../../charts/chart-theme.ts';
import { initChart } from '../../charts/echarts-parts.ts';
import { pageCharts, taskCharts } from '../../charts/report-charts.ts';
import { buildStandings } from '../../standings.ts';
import { buildReportView } from '../../view-model.ts';
import type { PageData } from '../page-data.ts';
import { isDark } from './theme-switch.ts';

interface LiveChart {
  readonly frame: HTMLElement;
  readonly instance: ReturnType<typeof initChart>;
}

function charts(data: PageData): Map<string, Chart> {
  const view = buildReportView(data.records);
  const standings = buildStandings(view);
  const theme = isDark() ? darkChartTheme : lightChartTheme;
  const all = [
    ...pageCharts(view, standings, data.timelines, theme),
    ...taskCharts(view, standings, (task) => memberOf(data.latencies, task) ?? [], theme).map(({ chart }) => chart),
  ];
  return new Map(all.map((chart) => [chart.id, chart]));
}

/** A fixed drawing size, scaled by CSS: the words keep their place at every width. */
function draw(frame: HTMLElement, chart: Chart): LiveChart {
  const width = Math.max(frame.clientWidth, chart.widthPx < 700 ? 0 : 640);
  const stage = document.createElement('div');
  const scale = width / chart.widthPx;
  stage.style.width = `${width}px`;
  stage.style.height = `${chart.heightPx * scale}px`;
  const surface = document.createElement('div');
  surface.style.width = `${chart.widthPx}px`;
  surface.style.height = `${chart.heightPx}px`;
  surface.style.transformOrigin = '0 0';
  surface.style.transform = `scale(${scale})`;
  stage.append(surface);
  frame.replaceChildren(stage);
  const instance = initChart(surface, null, { renderer: 'svg', width: chart.widthPx, height: chart.heightPx });
  instance.setOption(chart.option);
  surface.querySelector('svg')?.setAttribute('aria-hidden', 'true');
  return { frame, instance };
}

/** @returns call it when the colour scheme or the width changed */
export function startLiveCharts(data: PageData): () => void {
  const live = new Map<string, LiveChart>();
  let known = charts(data);
  const show = (figure: HTMLElement): void => {
    const id = figure.dataset['chart'] ?? '';
    const frame = figure.querySelector<HTMLElement>('.canvas');
    const chart = known.get(id);
    if (frame === null || chart === undefined) return;
    live.get(id)?.instance.dispose();
    live.set(id, draw(frame, chart));
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        show(target as HTMLElement);
      }
    },
    { rootMargin: '200px' },
  );
  for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]')) observer.observe(figure);
  return () => {
    known = charts(data);
    for (const { frame } of [...live.values()]) show(frame.closest<HTMLElement>('[data-chart]')!);
  };
}
