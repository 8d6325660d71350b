// Gold answers that the chosen metrics cannot use are told with their row, before they show as wrong answers.
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { accuracyMetrics } from '../metrics/accuracy.ts';
import { classificationMetrics } from '../metrics/classification.ts';
import { plainNumber, regressionMetrics } from '../metrics/regression.ts';
import { parseNumber } from '../metrics/text/number-text.ts';

const singleLabel: ReadonlySet<string> = new Set([...accuracyMetrics, ...classificationMetrics].map((metric) => metric.name));
const regression: ReadonlySet<string> = new Set(regressionMetrics.map((metric) => metric.name));

export interface GoldToCheck {
  /** The label, or the labels of a row with several. */
  readonly gold: readonly string[];
  /** All accepted answers. */
  readonly references: readonly string[];
  /** Whether the data gives the label as a list. */
  readonly isList: boolean;
  readonly line: number;
}

/** @throws ToolError `usage` for several labels under a metric of one; `data` for gold outside the labels, or no number under a metric of numbers */
export function checkGold(
  { gold, references, isList, line }: GoldToCheck,
  { metrics, labels }: { readonly metrics: readonly string[]; readonly labels?: readonly string[] | undefined },
): void {
  const single = metrics.find((name) => singleLabel.has(name));
  if (isList && single !== undefined)
    throw new ToolError('usage', `line ${line}: the label is a list, and ${single} compares one label`, {
      hint: 'take --metric multilabel_f1 (or subset_accuracy, jaccard, hamming_loss)',
    });
  const outside = labels === undefined ? undefined : gold.find((label) => !labels.includes(label));
  if (outside !== undefined)
    throw new ToolError('data', `line ${line}: gold "${outside}" is not among the declared labels ${labels!.join(', ')}`, {
      hint: `add it to --labels, or mend the row: ${suggestName(outside, labels!)}`,
    });
  const unread = metrics.find((name) => {
    const read = numberReader(name);
    return read !== null && references.every((text) => read(text) === null);
  });
  if (unread !== undefined) throw new ToolError('data', `line ${line}: gold "${references[0] ?? ''}" is no number, which ${unread} needs`);
}

function numberReader(metric: string): ((text: string) => number | null) | null {
  if (metric === 'numeric') return parseNumber;
  return regression.has(metric) ? plainNumber : null;
}

/** Whether metrics of numbers were asked for and none of them can read the answer. */
export function isUnreadNumber(answer: string, metrics: readonly string[]): boolean {
  const readers = metrics.flatMap((metric) => numberReader(metric) ?? []);
  return readers.length > 0 && readers.every((read) => read(answer) === null);
}
