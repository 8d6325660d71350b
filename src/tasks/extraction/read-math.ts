// Reads a mathematical answer: the last box, else what follows the last cue, else the whole of a short reply, else the last formula.
import { boxedContents } from './boxed.ts';
import { type Reading, unread } from './extraction.ts';
import { mathText } from './math-text.ts';
import { cutAtNextQuestion } from './run-on.ts';

const cue =
  /(?:(?:final |correct )?answer|solution|result|antwort|réponse|respuesta|risposta|ответ|答案)\s*(?:\*\*|is|:|ist|est|es|è|это|—|是|为|：|=)[\s*:]*/giu;

export function readMath(answer: string, truncated: boolean): Reading {
  const text = cutAtNextQuestion(answer);
  const box = boxedContents(text).at(-1);
  if (box !== undefined && box.content !== '') return { value: box.content, rule: 'boxed', reason: null };
  const cued = afterLastCue(text);
  if (cued !== undefined)
    return truncated && text.trimEnd().endsWith(cued)
      ? unread('truncated', 'the answer touches the end of a cut output')
      : { value: cued, rule: 'answer-cue', reason: null };
  if (truncated) return unread('truncated', 'no answer before the output ends');
  const whole = text.trim().replace(/\.$/, '');
  if (whole.length <= 80 && !/\n/.test(whole) && isFormula(whole)) return { value: stripDelimiters(whole), rule: 'whole', reason: null };
  const formula = formulas(text).at(-1);
  if (formula !== undefined) return { value: formula, rule: 'last-formula', reason: null };
  const last = /(-?\d[\d,]*(?:\.\d+)?(?:\/\d+)?)[^\d]{0,40}$/.exec(text.slice(-120))?.[1];
  return last === undefined
    ? unread('unparseable', 'no formula or number')
    : { value: last.replace(/,$/, ''), rule: 'last-number', reason: null };
}

function afterLastCue(text: string): string | undefined {
  for (const match of [...text.matchAll(cue)].reverse()) {
    const line = text.slice(match.index + match[0].length, match.index + match[0].length + 400).split('\n', 1)[0]!;
    const formula = /^\s*(?:\$\$?([^$]+)\$\$?|\\\((.+?)\\\)|\\\[(.+?)\\\])/.exec(line);
    const found = formula === null ? plainAnswer(line) : (formula[1] ?? formula[2] ?? formula[3]!).trim();
    if (found !== undefined && mathText(found) !== '') return found;
  }
  return undefined;
}

/** The rest of the line up to the end of its sentence; prose of more than a few words is no answer. */
function plainAnswer(line: string): string | undefined {
  const sentence = line
    .trim()
    .replace(/\*\*/g, '')
    .replace(/(?:\.\s.*|\.)$/s, (tail) => (/^\.\d/.test(tail) ? tail : ''))
    .replace(/,? (?:because|since|as|which)\b.*$/, '')
    .trim();
  return sentence !== '' && sentence.split(/\s+/).length <= 8 && sentence.length <= 120 ? sentence : undefined;
}

/** Mathematics, perhaps with a unit, but no sentence: at most one word outside LaTeX commands. */
function isFormula(text: string): boolean {
  const plain = text.replace(/\\(?:text|mathrm|textbf|mbox)\s*\{[^{}]*\}/g, '').replace(/\\[a-z]+/gi, '');
  const spelled = plain.match(/[a-z]{2,}/gi)?.length ?? 0;
  return /[\d\\^=+]/.test(text) ? spelled <= 1 : /^\S{1,20}$/.test(text);
}

function stripDelimiters(text: string): string {
  return text.replace(/^(?:\$\$?|\\\(|\\\[)\s*|\s*(?:\$\$?|\\\)|\\\])$/g, '').trim();
}

function formulas(text: string): string[] {
  const found = [...text.matchAll(/\$\$([^$]{1,400})\$\$|\$([^$\n]{1,400})\$|\\\(([\s\S]{1,400}?)\\\)|\\\[([\s\S]{1,400}?)\\\]/g)].map(
    (match) => (match[1] ?? match[2] ?? match[3] ?? match[4])!.trim(),
  );
  const last = found.at(-1);
  if (last === undefined) return [];
  const sides = last.split(/(?<![<>!\\])=/);
  return [sides.length > 1 ? sides.at(-1)!.trim() : last];
}
