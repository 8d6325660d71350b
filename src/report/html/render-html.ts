// The report as one HTML file: complete without a script, interactive with it, and closed to any code from its data.

import { sha256 } from '@noble/hashes/sha2.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { memberOf } from '../../core/count-names.ts';
import type { Chart } from '../charts/chart.ts';
import { withThemeVariables } from '../charts/chart-theme.ts';
import { renderChartSvg } from '../charts/render-chart-svg.ts';
import { pageCharts, taskCharts } from '../charts/report-charts.ts';
import type { ChartFigureProps } from '../components/chart-figure.tsx';
import { ReportPage } from '../components/report-page.tsx';
import { visibleText } from '../components/visible-text.ts';
import { decide } from '../decision.ts';
import { buildExplorerData } from '../explorer-data.ts';
import { countFlips } from '../flips.ts';
import type { ReportInput } from '../report-input.ts';
import { buildStandings } from '../standings.ts';
import { buildReportView } from '../view-model.ts';
import { embedData } from './embed-data.ts';
import { latenciesByTask, type PageData, slimRecord } from './page-data.ts';
import { pageStyles } from './page-styles.ts';

export interface HtmlOptions {
  /** The page's script as built; null leaves the page static. */
  readonly script: string | null;
  /** Answers embedded for the explorer. @default 20000 */
  readonly maxAnswers?: number | undefined;
}

const defaultMaxAnswers = 20_000;

function cspHash(text: string): string {
  return `'sha256-${btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))}'`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function figureOf(chart: Chart): ChartFigureProps {
  const { id, title, description, widthPx } = chart;
  return { id, title, description: visibleText(description), widthPx, svg: withThemeVariables(renderChartSvg(chart)) };
}

/** `frame-ancestors` and `sandbox` cannot be set in a page; everything else is refused by default. */
function policy(style: string, script: string | null): string {
  const scripts = script === null ? "'none'" : cspHash(script);
  return `default-src 'none'; script-src ${scripts}; style-src ${cspHash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** A script element ends at the first closing tag, wherever it stands. */
function inlineScript(script: string): string {
  return script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
}

/**
 * Renders records, and the rows where they are at hand, as one self-contained HTML document.
 * @returns HTML text; nothing in it is fetched from elsewhere
 */
export function renderHtml(input: ReportInput, options: HtmlOptions): string {
  const view = buildReportView(input.records);
  const standings = buildStandings(view, input.rows);
  const decision = decide(view, standings);
  const latencies = latenciesByTask(input);
  const timelines = input.timelines ?? [];
  const samples = input.rows.length === 0 ? null : buildExplorerData(input.rows, options.maxAnswers ?? defaultMaxAnswers);
  const body = renderToStaticMarkup(
    createElement(ReportPage, {
      view,
      standings,
      decision,
      flips: countFlips(view, input.rows),
      samples,
      overview: pageCharts(view, standings, timelines)
        .filter((chart) => chart.noData === null)
        .map(figureOf),
      taskCharts: taskCharts(view, standings, (task) => memberOf(latencies, task) ?? []).map(({ task, chart }) => ({
        task,
        figure: figureOf(chart),
      })),
    }),
  );
  const data: PageData = { records: input.records.map(slimRecord), samples, latencies, timelines };
  const script = options.script === null ? null : inlineScript(options.script);
  const title = [decision.before, decision.model, decision.after].filter((part) => part !== null && part !== '').join(' ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy(pageStyles, script)}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="generator" content="slmbench">',
    `<title>${escapeHtml(visibleText(title))} · slmbench</title>`,
    `<style>${pageStyles}</style>`,
    '</head>',
    `<body>${body}`,
    ...(script === null
      ? []
      : [`<script type="application/octet-stream" id="page-data">${embedData(data)}</script>`, `<script>${script}</script>`]),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
