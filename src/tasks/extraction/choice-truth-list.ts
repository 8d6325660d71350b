// Reads a reply that judges the options one by one: "A: False", "B: True", a line each.
import type { ChoiceContext } from './choice-context.ts';
import { ambiguous, type ChoiceVerdict, chosen } from './choice-verdict.ts';

const judgedLine =
  /^[\s*_#>(•|-]{0,8}([\p{L}\p{N}]{1,4})[\s*_]{0,3}[).:\]=|-][^\n]{0,200}?(?:(?<=[:=–—(|-][\s*_]{0,3})|(?<=^[^\n]{0,12}))(true|false|yes|no|correct|incorrect|right|wrong|✓|✔|✅|❌|✗|✘)[\s*_]{0,3}(?:[.,;:!(–—)|-]|$)/iu;
const accepting = /^(?:true|yes|correct|right|✓|✔|✅)$/i;

/** The one option whose line says true while all other judged lines say false. */
export function truthList({ text, labels, options }: ChoiceContext): ChoiceVerdict | undefined {
  if (!text.includes('\n')) return undefined;
  const lines = text.split('\n', 100);
  if (options.bare.some((option) => /^(?:true|false|yes|no|correct|incorrect|right|wrong)$/.test(option))) return undefined;
  const judged = new Map<number, boolean>();
  for (const line of lines) {
    const match = line.length > 300 ? null : judgedLine.exec(line);
    const index = match === null ? undefined : labels.index.get(match[1]!.toLowerCase());
    if (index !== undefined) judged.set(index, accepting.test(match![2]!));
  }
  const accepted = [...judged].filter(([, isRight]) => isRight);
  if (judged.size < 2 || accepted.length === 0) return undefined;
  if (accepted.length > 1) return ambiguous('several options are called right');
  return judged.size === labels.count || judged.size > 2 ? chosen(accepted[0]![0]) : undefined;
}
