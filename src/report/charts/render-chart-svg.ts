// Draws a chart as SVG text without a browser.
import type { Chart } from './chart.ts';
import { initChart } from './echarts-parts.ts';

const known = new Set([
  'fill',
  'stroke',
  'font-size',
  'font-family',
  'font-weight',
  'font-style',
  'opacity',
  'stroke-width',
  'dominant-baseline',
  'text-anchor',
]);

/** Style attributes need an `unsafe-inline` policy; the same words as plain attributes do not. */
function styleToAttributes(svg: string): string {
  return svg.replace(/ style="([^"]*)"/g, (_, css: string) =>
    css
      .replaceAll('&quot;', "'")
      .split(';')
      .flatMap((declaration) => {
        const at = declaration.indexOf(':');
        const name = declaration.slice(0, at).trim();
        if (at < 0 || !known.has(name)) return [];
        return [` ${name}="${declaration.slice(at + 1).trim()}"`];
      })
      .join(''),
  );
}

/** Ids and classes count the charts drawn so far; named by the chart, equal data gives an equal file and pages have no id twice. */
function stableNames(svg: string, id: string): string {
  return svg
    .replace(/ stroke="[^"]*" stroke-width="0"/g, '')
    .replace(/ class="zr\d+-cls-\d+"/g, '')
    .replace(/\bzr\d+-/g, `${id}-`);
}

/** A still picture: the style sheet that ECharts adds for hovering is left out. */
export function renderChartSvg(chart: Chart): string {
  const instance = initChart(null, null, { renderer: 'svg', ssr: true, width: chart.widthPx, height: chart.heightPx });
  try {
    instance.setOption(chart.option);
    const svg = instance.renderToSVGString().replace(/<style[^>]*>.*?<\/style>/gs, '');
    return stableNames(styleToAttributes(svg), chart.id);
  } finally {
    instance.dispose();
  }
}
