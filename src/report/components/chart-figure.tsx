// A chart as a still drawing; the page's script may put an interactive one in its place.

export interface ChartFigureProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** SVG drawn by our own renderer: text in it is escaped, nothing in it runs. */
  readonly svg: string;
  readonly widthPx: number;
}

export function ChartFigure({ id, title, description, svg, widthPx }: ChartFigureProps) {
  return (
    <figure className={widthPx < 700 ? 'chart small' : 'chart'} data-chart={id}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls sideways on narrow screens and must be reachable by keyboard */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own renderer, which escapes all text; tests feed it hostile names */}
      <div className="canvas" role="img" aria-label={description} tabIndex={0} dangerouslySetInnerHTML={{ __html: svg }} />
      <figcaption className="visually-hidden">{title}</figcaption>
    </figure>
  );
}
