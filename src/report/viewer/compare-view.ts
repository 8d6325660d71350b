// A comparison as the page shows it: plain values, without the records it rests on.
import type { ContenderResult, RecordsComparison } from '../compare/compare-records.ts';
import { bestSentence } from '../compare/render-comparison.ts';
import type { ComparedResult, ComparisonView } from './viewer-contract.ts';

function resultView({ contender, against, ...result }: ContenderResult): ComparedResult {
  return {
    label: contender.label,
    run: contender.record.id,
    model: contender.model,
    primary: result.primary,
    difference: against?.difference ?? null,
    interval: against?.interval == null ? null : { low: against.interval.low, high: against.interval.high },
    adjustedP: result.adjustedP,
    n: against?.n ?? null,
    verdict: result.verdict,
    gained: against?.onlyB ?? null,
    lost: against?.onlyA ?? null,
    categories: result.categories,
    latencyRatio: result.latencyRatio,
    memoryRatio: result.memoryRatio,
    decodeRateRatio: result.decodeRateRatio,
  };
}

export function comparisonView(comparison: RecordsComparison): ComparisonView {
  return {
    contenders: comparison.contenders.map(({ label, record, model }) => ({ label, run: record.id, model })),
    unshared: comparison.unshared,
    correction: comparison.correction,
    tasks: comparison.tasks.map((task) => ({
      task: task.task.key,
      title: task.task.title,
      baseline: task.baseline,
      higherIsBetter: task.higherIsBetter,
      sentence: bestSentence(task),
      results: task.results.map(resultView),
    })),
  };
}
