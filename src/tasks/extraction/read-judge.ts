// Reads the verdict of a judge: structured first, then the last explicit cue; prose is never searched for numbers or keywords.
import type { JudgeScale, Reading } from './extraction.ts';
import { unread } from './extraction.ts';
import { findJson } from './find-json.ts';
import { foldText } from './fold-text.ts';
import { add, divide, formatRational, fromDecimal, negate, type Rational } from './rational.ts';
import { readLabel } from './read-label.ts';
import { scanNumbers, wholeNumber } from './scan-numbers.ts';

/** For points, `value` is the score scaled to 0..1 and `detail` the points as given; for labels, the label. */
export function readJudge(answer: string, scale: JudgeScale, truncated: boolean): Reading {
  const reading = scale.kind === 'points' ? readPoints(foldText(answer), scale) : readVerdict(answer, scale.labels, truncated);
  return reading.value === null && truncated && reading.reason === 'unparseable'
    ? unread('truncated', 'the judge was cut off before its verdict')
    : reading;
}

const scoreKeys = /^(?:score|rating|grade|points|mark|final_score|overall|overall_score|value|verdict)$/i;
const cue =
  /(?:^|[^\p{L}])(?:final |overall |total )?(?:score|rating|grade|points|verdict|mark|punkte|note|bewertung|puntuación|punteggio|оценка|评分|得分|評価|점수)(?![\p{L}])/giu;

function readPoints(text: string, scale: { readonly max: number; readonly min?: number | undefined }): Reading {
  const structured = scoreOfJson(text);
  if (structured !== undefined) return scaled(structured, undefined, scale, 'json-key');
  const bracket = [...text.matchAll(/\[\[\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*(?:\/\s*(\d{1,6}))?\s*\]\]/g)].at(-1);
  if (bracket !== undefined) return scaled(decimal(bracket[1]!), bracket[2], scale, 'double-bracket');
  const cued = lastCued(text);
  if (cued === 'several') return unread('ambiguous', 'several scores after the cue');
  if (cued !== undefined) return scaled(cued.value, cued.outOf, scale, 'score-cue');
  const whole = /^[\s*_`"'([]*(-?\d{1,6}(?:\.\d{1,6})?)\s*(?:\/|out of\s)?\s*(\d{1,6})?[\s*_`"')\].]*$/.exec(text);
  if (whole !== null && (whole[2] === undefined || /\/|out of/.test(text))) return scaled(decimal(whole[1]!), whole[2], scale, 'whole');
  const ratios = [...text.matchAll(/(?<![\d./])(\d{1,4}(?:\.\d{1,4})?)\s?(?:\/|out of)\s?(\d{1,4})(?![\d/])/g)].filter(
    (match) => Number(match[2]) === scale.max,
  );
  const distinct = new Set(ratios.map((match) => match[1]));
  if (distinct.size === 1) return scaled(decimal(ratios[0]![1]!), ratios[0]![2], scale, 'ratio');
  return unread(distinct.size > 1 ? 'ambiguous' : 'unparseable', distinct.size > 1 ? 'several scores' : 'no verdict');
}

function decimal(text: string): Rational | null {
  return wholeNumber(text);
}

function scoreOfJson(text: string): Rational | null | undefined {
  if (!text.includes('{')) return undefined;
  const found = findJson(
    text,
    (value) => typeof value === 'object' && value !== null && Object.keys(value).some((key) => scoreKeys.test(key)),
  );
  if (found === undefined || typeof found.value !== 'object' || found.value === null) return undefined;
  const value = Object.entries(found.value).find(([key]) => scoreKeys.test(key))?.[1];
  if (typeof value === 'number') return wholeNumber(String(value));
  if (typeof value === 'string') return wholeNumber(value.replace(/\s*\/.*$/, ''));
  return undefined;
}

/** The number right after the last "Score:", "rating is" or "grade of". */
function lastCued(text: string): { readonly value: Rational | null; readonly outOf?: string | undefined } | 'several' | undefined {
  for (const match of [...text.matchAll(cue)].reverse()) {
    const from = match.index + match[0].length;
    const tail = text.slice(from, from + 60);
    const link = /^[\s*_"'`)]*(?:(?:\([^)]{0,20}\)|is|of|would be|为|是|:|=|[-–](?=\s)|\*)[\s*_"'`:=]*){1,3}[[(<{$\s]*(?=[-+\d.])/.exec(
      tail,
    );
    if (link === null) continue;
    const token = scanNumbers(tail).find((one) => one.start >= link[0].length - 2);
    const digits = /^-?\d{1,6}(?:\.\d{1,6})?/.exec(tail.slice(link[0].length));
    if (token === undefined || digits === null) continue;
    const after = tail.slice(link[0].length + digits[0].length);
    if (/^\s*(?:-|–|to|or)\s*\d/.test(after)) return 'several';
    const outOf = /^\s*(?:\/|out of)\s*(\d{1,6})/.exec(after)?.[1];
    return { value: decimal(digits[0]), outOf };
  }
  return undefined;
}

/** Scaled to 0..1, or null where the points are outside the rubric's scale. */
function scaled(
  points: Rational | null,
  outOf: string | undefined,
  scale: { readonly max: number; readonly min?: number | undefined },
  rule: string,
): Reading {
  if (points === null) return unread('unparseable', 'the score is no number');
  if (outOf !== undefined && Number(outOf) !== scale.max)
    return unread('out-of-set', `scored out of ${outOf}, the rubric says ${scale.max}`);
  const low = exact(scale.min ?? 0);
  const high = exact(scale.max);
  const value = divide(add(points, negate(low)), add(high, negate(low)));
  if (value === null || value.numerator < 0n || value.numerator > value.denominator)
    return unread('out-of-set', `${formatRational(points)} is outside the rubric's scale`);
  return { value: decimalOf(value), rule, reason: null, detail: formatRational(points) };
}

function exact(value: number): Rational {
  const [integer, fraction] = Math.abs(value).toString().split('.');
  const size = fromDecimal(integer!, fraction ?? '') ?? { numerator: 0n, denominator: 1n };
  return value < 0 ? negate(size) : size;
}

function decimalOf(value: Rational): string {
  return String(Number(value.numerator) / Number(value.denominator));
}

/** `[[A]]`, a JSON key, "Verdict: yes", or a reply that is or opens with a label; never a word somewhere in prose. */
function readVerdict(answer: string, labels: readonly string[], truncated: boolean): Reading {
  const bracket = [...answer.matchAll(/\[\[\s*([^\][]{1,40}?)\s*\]\]/g)].at(-1)?.[1];
  const index = bracket === undefined ? -1 : labels.findIndex((label) => label.toLowerCase() === bracket.toLowerCase());
  if (index >= 0) return { value: labels[index]!, index, rule: 'double-bracket', reason: null };
  const reading = readLabel(answer, { labels }, truncated);
  return reading.rule === 'only-label' ? unread('unparseable', 'no verdict, only a mention') : reading;
}
