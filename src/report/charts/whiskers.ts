// Interval whiskers, and lines to far labels, as ECharts custom series.

interface RenderApi {
  readonly value: (dimension: number) => number;
  readonly coord: (point: readonly number[]) => number[];
  readonly size: (span: readonly number[]) => number | number[];
}

function line(x1: number, y1: number, x2: number, y2: number, stroke: string) {
  return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1.4, fill: 'none' } };
}

/** Whiskers along x at a row: data is `[row, low, high]`. */
export function horizontalWhiskers(stroke: string, capPx = 4) {
  return (_: unknown, api: RenderApi) => {
    const [lowX, y] = api.coord([api.value(1), api.value(0)]) as [number, number];
    const [highX] = api.coord([api.value(2), api.value(0)]) as [number, number];
    return {
      type: 'group',
      children: [
        line(lowX, y, highX, y, stroke),
        line(lowX, y - capPx, lowX, y + capPx, stroke),
        line(highX, y - capPx, highX, y + capPx, stroke),
      ],
    };
  };
}

/** Whiskers along y at a point: data is `[x, low, high]`. */
export function verticalWhiskers(stroke: string, capPx = 4) {
  return (_: unknown, api: RenderApi) => {
    const [x, lowY] = api.coord([api.value(0), api.value(1)]) as [number, number];
    const [, highY] = api.coord([api.value(0), api.value(2)]) as [number, number];
    return {
      type: 'group',
      children: [
        line(x, lowY, x, highY, stroke),
        line(x - capPx, lowY, x + capPx, lowY, stroke),
        line(x - capPx, highY, x + capPx, highY, stroke),
      ],
    };
  };
}

/** A thin line from a point to its label: data is `[x, y, dxPx, dyPx]`. */
export function leaderLine(stroke: string) {
  return (_: unknown, api: RenderApi) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]) as [number, number];
    return { ...line(x, y, x + api.value(2), y + api.value(3), stroke), style: { stroke, lineWidth: 0.8, fill: 'none' } };
  };
}
