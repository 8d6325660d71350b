// The recommendation in words, with its evidence, then the table of all candidates.
import { dash, formatBytes, formatDuration, formatFixed, formatMetric, formatPercent } from '../format-values.ts';
import { layoutTable, type TableColumn, type TerminalStyle } from '../terminal/layout-table.ts';
import type { Candidate, TaskEvidence } from './gather-candidates.ts';
import type { Ranked, Recommendation, Separation } from './recommend.ts';

function invalidWords({ entry: { counts } }: TaskEvidence): string {
  return counts.invalid === 0 ? '' : `, ${formatPercent(counts.invalid / (counts.scored + counts.invalid))} of answers invalid`;
}

function choiceWords({ candidate }: Ranked, tasks: readonly string[]): string {
  const evidence = candidate.evidence.map(
    (one) => `${one.task} ${formatMetric(one.primary)} (n ${one.primary.n}${invalidWords(one)}, run ${one.record.id})`,
  );
  const facts = [
    `quality ${formatPercent(candidate.quality)} over ${tasks.length} task${tasks.length === 1 ? '' : 's'}`,
    candidate.decodeTokensPerSecond === null ? '' : `${formatFixed(candidate.decodeTokensPerSecond, 1)} tok/s`,
    candidate.latencyMs === null ? '' : `latency ${formatDuration(candidate.latencyMs)}`,
    candidate.memoryBytes === null ? '' : `peak memory ${formatBytes(candidate.memoryBytes)}`,
  ].filter((fact) => fact !== '');
  return `Take ${candidate.model}: ${facts.join(', ')}.\nEvidence: ${evidence.join('; ')}.`;
}

function separationWords(model: string, separation: Separation): string {
  const { over, task, verdict, comparison, itemsNeeded } = separation;
  const difference =
    comparison.difference === null
      ? ''
      : `${comparison.difference >= 0 ? '+' : ''}${(comparison.difference * 100).toFixed(1)} pp on ${comparison.n} shared items`;
  if (verdict === 'better' || verdict === 'worse')
    return `${model} is ${verdict} than ${over} on ${task} (${difference}, p ${comparison.p?.toPrecision(2)}).`;
  const more = itemsNeeded === null ? 'they answered equally well' : `about ${itemsNeeded} items would show a difference of this size`;
  return `On ${task} the data cannot separate ${model} and ${over} (${difference}); ${more}.`;
}

function row({ candidate, utility, isOnFront }: Ranked): string[] {
  return [
    candidate.model,
    isOnFront ? 'yes' : '',
    formatFixed(utility, 3),
    formatPercent(candidate.quality),
    formatFixed(candidate.decodeTokensPerSecond, 1),
    formatDuration(candidate.latencyMs),
    formatDuration(candidate.ttftMs),
    formatBytes(candidate.memoryBytes),
    candidate.licence ?? dash,
  ];
}

const columns: readonly TableColumn[] = [
  { title: 'model', align: 'left', priority: 10 },
  { title: 'front', align: 'left', priority: 7 },
  { title: 'utility', align: 'right', priority: 6 },
  { title: 'quality', align: 'right', priority: 9 },
  { title: 'tok/s', align: 'right', priority: 5 },
  { title: 'latency', align: 'right', priority: 4 },
  { title: 'TTFT', align: 'right', priority: 3 },
  { title: 'memory', align: 'right', priority: 8 },
  { title: 'licence', align: 'left', priority: 2 },
];

/** @param measurable - registry models that fit the constraints by their files but were never run */
export function renderRecommendation(recommendation: Recommendation, measurable: readonly string[], style: TerminalStyle): string {
  const { chosen, ranked, rejected, separations, notMeasured, leftOut, tasks } = recommendation;
  const lines: string[] = [];
  if (chosen === null) lines.push(tasks.length === 0 ? 'No finished run fits the question.' : 'No measured model meets all constraints.');
  else {
    lines.push(choiceWords(chosen, tasks), ...separations.map((separation) => separationWords(chosen.candidate.model, separation)));
    if (ranked.length > 1) lines.push(`Pareto front (no other model is better in everything): ${recommendation.front.join(', ')}.`);
  }
  if (ranked.length > 0) lines.push('', layoutTable(columns, ranked.map(row), style), '');
  for (const { model, reasons } of rejected) lines.push(`Rejected ${model}: ${reasons.join('; ')}.`);
  for (const gap of notMeasured) lines.push(`Never measured: ${gap}.`);
  for (const { task, models } of leftOut) lines.push(`Left out: ${task}, which only ${models.join(', ')} was run on.`);
  if (measurable.length > 0)
    lines.push(
      `Not run here, but their files would fit: ${measurable.slice(0, 8).join(', ')}${measurable.length > 8 ? ', ...' : ''} (--run measures what is missing).`,
    );
  return `${lines.join('\n')}\n`;
}

export function candidateJson(candidate: Candidate) {
  return { ...candidate, evidence: candidate.evidence.map(({ record, entry: _, ...one }) => ({ ...one, run: record.id })) };
}
