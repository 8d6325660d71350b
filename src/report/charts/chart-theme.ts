// Colours and type of all charts: colour-blind safe (Okabe and Ito 2008), calm, and the same in light and dark.

export interface ChartTheme {
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly surface: string;
  /** The best, or the only series. */
  readonly accent: string;
  /** Not distinguishable from the best. */
  readonly tied: string;
  readonly behind: string;
  readonly whisker: string;
  /** Bars behind bars: p95 and p99. */
  readonly tail: string;
  readonly farTail: string;
  readonly series: readonly string[];
  /** Low to high of a heat map. */
  readonly heat: readonly string[];
}

/** Also as the CSS custom property `--chart-<name>`: each colour of this theme is unique, so a drawn chart can follow the page. */
export const lightChartTheme: ChartTheme = {
  ink: '#1b2430',
  muted: '#566172',
  grid: '#e4e8ee',
  surface: '#fefefe',
  accent: '#0b66a3',
  tied: '#5fa0cc',
  behind: '#939dab',
  whisker: '#2c3644',
  tail: '#8cb9d9',
  farTail: '#cbdfed',
  series: ['#0072b2', '#d55e00', '#009e73', '#b5568a', '#b88700', '#3d9cd0', '#6b4fa3', '#7a6a58'],
  heat: ['#f3f7fb', '#c9dff0', '#86b8dc', '#3f8ec4', '#0b5a94', '#08355a'],
};

export const darkChartTheme: ChartTheme = {
  ink: '#e7ecf2',
  muted: '#a4afbe',
  grid: '#2d3641',
  surface: '#151b22',
  accent: '#4fb3ee',
  tied: '#3a7eab',
  behind: '#6d7886',
  whisker: '#dbe2ea',
  tail: '#2f6a93',
  farTail: '#254257',
  series: ['#4fa9e0', '#f08a3c', '#2fc79a', '#e08dbb', '#e3b13a', '#8fd0f5', '#a893dd', '#c1ad97'],
  heat: ['#1b2530', '#1f3f58', '#23618c', '#2f86bf', '#6bb4e3', '#c3e2f7'],
};

export const chartFont = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif";

/** `--chart-ink: #1b2430; ...` for a style sheet. */
export function chartThemeVariables(theme: ChartTheme): string {
  return Object.entries(theme)
    .flatMap(([name, value]: [string, string | readonly string[]]) =>
      typeof value === 'string' ? [`--chart-${name}:${value}`] : value.map((colour, index) => `--chart-${name}-${index}:${colour}`),
    )
    .join(';');
}

/** Replaces the light theme's colours in an SVG by references to the custom properties, so that one drawing serves light and dark pages. */
export function withThemeVariables(svg: string): string {
  const names = new Map(
    Object.entries(lightChartTheme).flatMap(([name, value]: [string, string | readonly string[]]) =>
      typeof value === 'string' ? [[value, name]] : value.map((colour, index) => [colour, `${name}-${index}`]),
    ) as [string, string][],
  );
  return svg.replace(/ (fill|stroke|stop-color)="(#[0-9a-f]{6})"/g, (whole, property: string, colour: string) => {
    const name = names.get(colour);
    return name === undefined ? whole : ` ${property}="var(--chart-${name})"`;
  });
}
