// A gate's report for people (terminal, Markdown step summary) and for machines (JUnit, GitHub annotations).
import { formatFixed, neutraliseControls } from '../format-values.ts';
import { markdownCell, markdownTable } from '../markdown/escape-markdown.ts';
import type { GateCheck, GateOutcome, GateReport } from './judge-gate.ts';

const words: Readonly<Record<GateOutcome, string>> = { pass: 'passed', fail: 'FAILED', 'not-enough-data': 'not enough data' };

function number(value: number | null): string {
  return value === null ? '—' : Math.abs(value) >= 100 ? value.toFixed(1) : formatFixed(value, 4);
}

function effectText(check: GateCheck): string {
  const name = check.rule.kind === 'max-drop' ? 'drop ' : check.rule.kind.endsWith('ratio') ? 'ratio ' : '';
  const range = check.interval === null ? '' : ` [${number(check.interval.low)}, ${number(check.interval.high)}]`;
  return `${name}${number(check.effect)}${range}`;
}

function subject(check: GateCheck): string {
  return [check.model, check.task].filter((part) => part !== null).join(' on ');
}

/** The one line that says how the gate ended. */
export function verdictLine(report: GateReport): string {
  const count = (outcome: GateOutcome): number => report.checks.filter((check) => check.outcome === outcome).length;
  const parts = [`${count('pass')} passed`, `${count('fail')} failed`, `${count('not-enough-data')} without enough data`];
  const strict = report.strict && report.outcome === 'not-enough-data' ? ' (--strict)' : '';
  return `gate ${report.exitCode === 3 ? 'FAILED' : report.outcome === 'pass' ? 'passed' : 'passed with warnings'}${strict}: ${parts.join(', ')}`;
}

export function renderGateTerminal(report: GateReport): string {
  const lines = report.checks.flatMap((check) => [
    `${words[check.outcome].padEnd(16)}${check.rule.text}  ${subject(check)}`,
    `                ${effectText(check)}, baseline ${number(check.baseline)}, now ${number(check.value)}, n ${check.n}: ${check.reason}`,
    ...check.notes.map((note) => `                note: ${note}`),
  ]);
  return neutraliseControls(`${lines.join('\n')}\n${verdictLine(report)}\n`);
}

export function renderGateMarkdown(report: GateReport): string {
  const rows = report.checks.map((check) =>
    [
      words[check.outcome],
      check.rule.text,
      subject(check),
      number(check.baseline),
      number(check.value),
      effectText(check),
      String(check.n),
      check.reason,
    ].map(markdownCell),
  );
  const header = ['', 'limit', 'model on task', 'baseline', 'now', 'judged (interval)', 'n', 'why'];
  const align = ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'left'] as const;
  const against = report.baseline === null ? '' : ` against ${markdownCell(report.baseline)}`;
  return `## slmbench gate\n\n**${markdownCell(verdictLine(report))}**\n\nRun ${markdownCell(report.run)}${against}\n\n${markdownTable(header, align, rows)}\n`;
}

/** XML 1.0 holds no control characters but tab and line ends, not even escaped (section 2.2). */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '&#10;')
    .replace(/\t/g, '&#9;');
}

/** One test case a check; "not enough data" is skipped, or a failure under `--strict`. */
export function renderGateJUnit(report: GateReport): string {
  const isFailure = (check: GateCheck): boolean => check.outcome === 'fail' || (report.strict && check.outcome === 'not-enough-data');
  const isSkipped = (check: GateCheck): boolean => !report.strict && check.outcome === 'not-enough-data';
  const cases = report.checks.map((check) => {
    const message = xml(`${words[check.outcome]}: ${effectText(check)}; ${check.reason}`);
    const inner = isFailure(check)
      ? `<failure type="threshold" message="${message}"/>`
      : isSkipped(check)
        ? `<skipped message="${message}"/>`
        : '';
    return `    <testcase classname="${xml(subject(check) || report.run)}" name="${xml(check.rule.text)}" time="0">${inner}</testcase>`;
  });
  const counts = `tests="${report.checks.length}" failures="${report.checks.filter(isFailure).length}" errors="0" skipped="${report.checks.filter(isSkipped).length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="slmbench" ${counts}>`,
    `  <testsuite name="slmbench gate" ${counts} time="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Data of a workflow command: percent, line ends, and in properties also colon and comma are escaped. */
function annotation(level: 'error' | 'warning', title: string, message: string): string {
  const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
  const property = data(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${level} title=${property}::${data(message)}`;
}

/** GitHub workflow commands for every check that did not pass. */
export function renderGateAnnotations(report: GateReport): string {
  return report.checks
    .filter((check) => check.outcome !== 'pass')
    .map((check) => {
      const level = check.outcome === 'fail' || report.strict ? 'error' : 'warning';
      return `${annotation(level, `slmbench gate: ${check.rule.text}`, `${subject(check)}: ${effectText(check)}; ${check.reason}`)}\n`;
    })
    .join('');
}
