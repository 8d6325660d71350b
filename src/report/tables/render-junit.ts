// Results as JUnit XML for build servers: one test case per model and task, failed where the result is invalid or has errors.
import { formatMetric } from '../format-values.ts';
import type { ReportView, ViewResult } from '../view-model.ts';

/** Characters that XML 1.0 cannot hold become the replacement character; mark-up is escaped. */
export function xmlText(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

type Verdict = { readonly kind: 'passed' } | { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string };

function verdictOf({ entry, record }: ViewResult): Verdict {
  const reasons = entry.validity.reasons.map(({ message }) => message).join('; ');
  const { counts } = entry;
  if (counts.missing === counts.total) return { kind: 'skipped', message: 'no answer' };
  if (record.status === 'failed' && counts.error > 0)
    return { kind: 'error', message: `${counts.error} of ${counts.total} requests failed` };
  if (entry.validity.verdict === 'invalid') return { kind: 'failure', message: reasons };
  if (counts.missing > 0) return { kind: 'failure', message: `${counts.missing} of ${counts.total} answers are missing` };
  return { kind: 'passed' };
}

function testCase(result: ViewResult): string {
  const { entry, model, task, record } = result;
  const verdict = verdictOf(result);
  const seconds = entry.speed.latencyMs.mean === null ? 0 : (entry.speed.latencyMs.mean * entry.speed.n) / 1000;
  const name = `${model.key}: ${task.primaryMetric}`;
  const shape = verdict.kind === 'passed' ? '' : `<${verdict.kind} message="${xmlText(verdict.message)}"/>`;
  const lines = [
    `${entry.primary?.name ?? task.primaryMetric} ${formatMetric(entry.primary)}`,
    `n ${entry.primary?.n ?? 0}, invalid ${entry.counts.invalid}, errors ${entry.counts.error}, truncated ${entry.counts.truncated}`,
    ...entry.validity.reasons.map(({ message }) => `${entry.validity.verdict}: ${message}`),
    `run ${record.id}`,
  ];
  return `    <testcase classname="${xmlText(task.key)}" name="${xmlText(name)}" time="${seconds.toFixed(3)}">${shape}<system-out>${xmlText(lines.join('\n'))}</system-out></testcase>`;
}

export function renderJunit(view: ReportView): string {
  const suites = view.tasks.map((task) => {
    const count = (kind: Verdict['kind']): number => task.results.filter((result) => verdictOf(result).kind === kind).length;
    const head = `  <testsuite name="${xmlText(task.task.key)}" tests="${task.results.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}">`;
    return [head, ...task.results.map(testCase), '  </testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="slmbench">\n${suites.join('\n')}\n</testsuites>\n`;
}
