// Quantisations side by side, as tables: size, bits, speed and memory; fidelity; task quality.
import { dash, formatBytes, formatFixed, formatPercent } from '../format-values.ts';
import { column, type PerfTable } from './perf-tables.ts';
import type { EngineRowView } from './perf-view.ts';
import type { QuantView } from './quant-view.ts';

function rateOf(rows: readonly EngineRowView[], prefix: string): string {
  return formatFixed(rows.find((row) => row.test.startsWith(prefix))?.tokensPerSecond.p50, 1);
}

function filesTable(view: QuantView): PerfTable {
  return {
    title: 'Files',
    columns: [
      column('model', 9, 'left'),
      column('quantisation', 8, 'left'),
      column('size', 7),
      column('bits/weight', 6),
      column('pp512 tok/s', 5),
      column('tg128 tok/s', 5),
      column('peak memory', 4),
      column('tensor types', 3, 'left'),
    ],
    rows: view.members.map((member) => [
      `${member.model}${member.isReference ? ' (reference)' : ''}`,
      member.quantisation,
      formatBytes(member.sizeBytes),
      member.bitsPerWeight.toFixed(2),
      rateOf(member.speed, 'pp'),
      rateOf(member.speed, 'tg'),
      formatBytes(member.peakRssBytes),
      Object.entries(member.tensorTypes)
        .toSorted(([, a], [, b]) => b.elements - a.elements)
        .map(
          ([type, { elements }]) =>
            `${type} ${((elements / member.parameters) * 100).toFixed(elements / member.parameters > 0.1 ? 0 : 1)} %`,
        )
        .join(', '),
    ]),
  };
}

function fidelityTable(view: QuantView): PerfTable {
  return {
    title: 'Fidelity to the reference',
    columns: [
      column('model', 9, 'left'),
      column('perplexity', 4),
      column('ln PPL ratio ± se', 7),
      column('KL mean ± se', 8),
      column('median', 3),
      column('p99', 5),
      column('max', 2),
      column('same top token [95 %]', 6),
      column('tokens', 1),
    ],
    rows: view.members.flatMap(({ model, fidelity }) =>
      fidelity === null
        ? []
        : [
            [
              model,
              fidelity.perplexity.toFixed(3),
              `${fidelity.logRatio.toFixed(4)} ± ${formatFixed(fidelity.logRatioError, 4)}`,
              `${fidelity.klMean.toFixed(5)} ± ${formatFixed(fidelity.klMeanError, 5)}`,
              fidelity.klMedian.toFixed(5),
              fidelity.klP99.toFixed(4),
              fidelity.klMax.toFixed(4),
              `${formatPercent(fidelity.topAgreement)}${fidelity.topAgreementInterval === null ? '' : ` [${(fidelity.topAgreementInterval.low * 100).toFixed(1)}, ${(fidelity.topAgreementInterval.high * 100).toFixed(1)}]`}`,
              String(fidelity.tokens),
            ],
          ],
    ),
  };
}

function tasksTable(view: QuantView): PerfTable {
  return {
    title: 'Task quality against the reference (paired)',
    columns: [
      column('task', 8, 'left'),
      column('model', 9, 'left'),
      column('value', 7),
      column('difference [95 %]', 6),
      column('p (Holm)', 3),
      column('n', 4),
      column('verdict', 10, 'left'),
    ],
    rows: view.tasks.flatMap(({ task, metric, results }) =>
      results.map((result) => [
        `${task} ${metric}`,
        result.model,
        formatFixed(result.value, 4),
        result.difference === null
          ? dash
          : `${result.difference.toFixed(4)}${result.interval === null ? '' : ` [${result.interval.low.toFixed(4)}, ${result.interval.high.toFixed(4)}]`}`,
        formatFixed(result.adjustedP, 4),
        String(result.n),
        result.verdict === 'no difference seen' && result.minimumDetectable !== null
          ? `${result.verdict} (below ${result.minimumDetectable.toFixed(3)} would not show)`
          : result.verdict,
      ]),
    ),
  };
}

/** Why the figures should be doubted. */
export function quantDoubts({ validity }: QuantView): string[] {
  return validity.reasons.map((reason) => `${validity.verdict}: ${reason.message}`);
}

/** What the figures rest on: the text, and how the files came to be. */
export function quantNotes({ text, members }: QuantView): string[] {
  return [
    `text: ${text.name}, sha256 ${text.sha256.slice(0, 12)}, ${text.windows} windows of ${text.windowTokens} tokens, second half of each scored; KL in nats, from the reference to the copy`,
    ...members.flatMap((member) => member.notes.map((note) => `${member.model}: ${note}`)),
  ];
}

/** Files with size and speed, fidelity to the reference, task quality; tables without rows are left out. */
export function quantTables(view: QuantView): PerfTable[] {
  return [filesTable(view), fidelityTable(view), tasksTable(view)].filter((table) => table.rows.length > 0);
}
