// What quantisation costs against what it saves: divergence from the reference and task quality over file size.
import { type QuantView, quantViewOf } from '../perf/quant-view.ts';
import { buildCurveOption, type Curve, type CurvePoint } from './build-curve-option.ts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './chart-theme.ts';

const xName = 'file size, MiB';
const bySize = (points: readonly CurvePoint[]): CurvePoint[] => points.toSorted((a, b) => a.x - b.x);

function divergence({ reference, members }: QuantView): Curve {
  const points = members.flatMap(({ quantisation, sizeBytes, fidelity }): CurvePoint[] => {
    if (fidelity === null) return [];
    const error = fidelity.klMeanError === null ? null : 1.96 * fidelity.klMeanError;
    const y = fidelity.klMean;
    const [low, high] = error === null ? [null, null] : [Math.max(0, y - error), y + error];
    return [{ x: sizeBytes / 2 ** 20, y, low, high, label: quantisation }];
  });
  return { name: reference, points: bySize(points) };
}

/** Differences, not values: their intervals come from the same items and show what is distinguishable. */
function quality({ members, tasks }: QuantView): Curve[] {
  return tasks.map(({ task, metric, results }) => {
    const points = results.flatMap(({ model, difference, interval }): CurvePoint[] => {
      const member = members.find((one) => one.model === model);
      if (member === undefined) return [];
      const at = { x: member.sizeBytes / 2 ** 20, label: member.quantisation };
      if (member.isReference) return [{ ...at, y: 0 }];
      return difference === null ? [] : [{ ...at, y: difference, low: interval?.low, high: interval?.high }];
    });
    return { name: `${task} ${metric}`, points: bySize(points) };
  });
}

/** Only charts with at least two points of a curve. */
export function quantCharts(blocks: readonly unknown[], theme?: ChartTheme): readonly Chart[] {
  const views = blocks.flatMap((block) => quantViewOf(block) ?? []);
  const drawn = (curves: readonly Curve[]): Curve[] => curves.filter(({ points }) => points.length > 1);
  const charts = [
    {
      id: 'quantisation',
      title: 'What quantisation costs',
      subtitle: 'Divergence of the next-token distribution from the reference; lower is better. Whiskers: 95 % interval.',
      xName,
      yName: 'mean KL divergence, nats',
      curves: drawn(views.map(divergence)),
    },
    {
      id: 'quantisation_quality',
      title: 'Task quality by file size',
      subtitle: 'Difference to the reference on the same items. Whiskers: 95 % interval; one that holds 0 shows no difference.',
      xName,
      yName: 'difference to the reference',
      curves: drawn(views.flatMap(quality)),
    },
  ];
  return charts.filter(({ curves }) => curves.length > 0).map((chart) => buildCurveOption(chart, theme));
}
