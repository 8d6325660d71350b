// Reads one label (or several) of a declared set out of a reply: aliases, case, fences, sentences with exactly one label, negation.
import { answerNouns, copulas, negators, rejectors, wrongPredicates } from './cue-words.ts';
import { isDoubted } from './doubting-clauses.ts';
import { type LabelReading, type Reading, unread } from './extraction.ts';
import { bareText, comparable } from './fold-text.ts';
import { answerOfJson } from './json-answer.ts';
import { parseLenientJson } from './lenient-json.ts';
import { refuses } from './refusal.ts';
import { gapBetween, splitWords, type Word, wordClass } from './words.ts';

interface Spelling {
  readonly text: string;
  readonly index: number;
}

interface LabelMention {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly negated: boolean;
}

const spellingCache = new WeakMap<LabelReading, readonly Spelling[]>();

/** All spellings of all labels, longest first. */
function spellings(request: LabelReading): readonly Spelling[] {
  let list = spellingCache.get(request);
  if (list === undefined) {
    const seen = new Map<string, Spelling>();
    request.labels.forEach((label, index) => {
      for (const text of [label, ...(request.aliases?.[label] ?? [])]) {
        for (const form of new Set([bareText(text) || comparable(text), bareText(text.replace(/[_-]+/g, ' '))])) {
          if (form !== '' && !seen.has(form)) seen.set(form, { text: form, index });
        }
      }
    });
    list = [...seen.values()].sort((a, b) => b.text.length - a.text.length);
    spellingCache.set(request, list);
  }
  return list;
}

function exactLabel(text: string, request: LabelReading): number | undefined {
  const exact = request.labels.indexOf(text.trim());
  if (exact >= 0) return exact;
  const bare = bareText(text);
  const spaced = bare.replace(/[_-]+/g, ' ');
  const list = spellings(request);
  return (list.find((one) => one.text === bare) ?? list.find((one) => one.text === spaced))?.index;
}

export function readLabel(answer: string, request: LabelReading, truncated: boolean): Reading {
  const found = (index: number, rule: string): Reading => ({ value: request.labels[index]!, index, rule, reason: null });
  const body = withoutFence(answer);
  const exact = body.length <= 400 ? exactLabel(body, request) : undefined;
  if (exact !== undefined) {
    const rivals = truncated ? spellings(request).filter((one) => one.text.startsWith(bareText(body)) && one.index !== exact) : [];
    return rivals.length > 0 ? unread('truncated', 'another label begins with the same text') : found(exact, 'whole');
  }
  const json = answerOfJson(body);
  const keyed = json === undefined ? undefined : exactLabel(json, request);
  if (keyed !== undefined) return found(keyed, 'json-key');
  const first = firstLineLabel(body, request);
  if (first !== undefined) return found(first, 'first-line');
  const text = comparableKeepingLines(body);
  const mentions = labelMentions(text, request);
  const cued = cuedLabel(text, mentions);
  if (cued !== undefined) return cued === 'several' ? unread('ambiguous', 'several labels after the cue') : found(cued, 'answer-cue');
  const leading = leadingLabel(text, mentions);
  if (leading !== undefined) return found(leading, 'leading');
  const firm = new Set(mentions.filter((one) => !one.negated).map((one) => one.index));
  if (firm.size === 1 && !truncated && !doubts(text, mentions)) return found([...firm][0]!, 'only-label');
  if (firm.size > 1) return unread('ambiguous', 'several labels');
  if (truncated) return unread('truncated', 'the output ends before it gives a label');
  if (refuses(answer)) return unread('refused');
  return unread('out-of-set', mentions.length > 0 ? 'the only label is negated or doubted' : 'no declared label');
}

/** The first line is a label and no other line is another one: what follows explains it, or runs on to the next text. */
function firstLineLabel(body: string, request: LabelReading): number | undefined {
  const lines = body.split('\n', 50);
  if (lines.length < 2 || lines[0]!.length > 400) return undefined;
  const label = exactLabel(lines[0]!, request);
  if (label === undefined) return undefined;
  const rival = lines.slice(1).some((line) => line.length <= 400 && (exactLabel(line, request) ?? label) !== label);
  return rival || /\b(?:wait|actually|correction|sorry|hold on)\b/i.test(body.slice(0, 2000)) ? undefined : label;
}

export function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```')) return trimmed;
  const body = trimmed.replace(/^```[^\n]{0,20}\n/, '').replace(/\n?```\s*$/, '');
  return body.replace(/^```|```$/g, '').trim();
}

function comparableKeepingLines(text: string): string {
  return text.length > 20_000 ? keepLines(text.slice(-20_000)) : keepLines(text);
}

function keepLines(text: string): string {
  return text.split('\n', 2000).map(comparable).join('\n');
}

function labelMentions(text: string, request: LabelReading): LabelMention[] {
  const spans: { index: number; start: number; end: number }[] = [];
  for (const { text: label, index } of spellings(request)) {
    for (let at = text.indexOf(label), hits = 0; at >= 0 && hits < 200; at = text.indexOf(label, at + label.length), hits++) {
      const end = at + label.length;
      if (!atWordEdges(text, at, end) || spans.some((span) => span.start <= at && span.end >= end)) continue;
      spans.push({ index, start: at, end });
    }
  }
  if (spans.length === 0) return [];
  const words = splitWords(text);
  return spans.sort((a, b) => a.start - b.start).map((span) => ({ ...span, negated: isNegatedLabel(text, words, span) }));
}

function atWordEdges(text: string, start: number, end: number): boolean {
  const inside = wordClass(text.charCodeAt(start));
  const before = start === 0 ? 0 : wordClass(text.charCodeAt(start - 1));
  const after = end >= text.length ? 0 : wordClass(text.charCodeAt(end));
  if (inside === 3) return true;
  if (text[start - 1] === '-' && start > 1 && wordClass(text.charCodeAt(start - 2)) === 1) return false;
  return (inside === 0 || before !== inside) && (after === 0 || after !== wordClass(text.charCodeAt(end - 1)));
}

const labelWalk = new Set(
  'a an the very really so quite particularly especially be been is are was it this that to as of any clearly entirely completely purely either strictly necessarily overly ein eine un une una classified labeled labelled considered called'.split(
    ' ',
  ),
);
const labelRejections = new Set([
  'not',
  'isn',
  'aren',
  'wasn',
  'neither',
  'nor',
  'never',
  'rather',
  'instead',
  'than',
  'without',
  'nicht',
  'kein',
  'keine',
  'pas',
  'no',
  'non',
  'não',
  'niet',
  'nie',
  'не',
  'değil',
  't',
  'cannot',
  'exclude',
  'excluding',
  'rule',
  'ruled',
]);

function isNegatedLabel(text: string, words: readonly Word[], span: { readonly start: number; readonly end: number }): boolean {
  if (/(?:不是|并非|不|非|没有|ではなく|아닌)$/u.test(text.slice(Math.max(0, span.start - 4), span.start))) return true;
  if (isDoubted(text, span.start)) return true;
  let at = words.findIndex((word) => word.start >= span.start);
  if (at < 0) at = words.length;
  for (let back = at - 1, steps = 0; back >= 0 && steps < 5; back--, steps++) {
    const next = back + 1 < at ? words[back + 1]!.start : span.start;
    const gap = gapBetween(text, words[back]!.end, next);
    if (gap.stop || gap.newline || gap.comma || gap.link) break;
    const word = words[back]!.text;
    if (labelRejections.has(word) || rejectors.has(word)) return true;
    if (word.charCodeAt(0) > 0x3000 && /(?:不是|不|非|并非|没有)$/u.test(word)) return true;
    if (!labelWalk.has(word)) break;
  }
  let on = words.findIndex((word) => word.start >= span.end);
  let negation = false;
  for (let steps = 0; on >= 0 && on < words.length && steps < 5; on++, steps++) {
    const gap = gapBetween(text, steps === 0 ? span.end : words[on - 1]!.end, words[on]!.start);
    if (gap.stop || gap.newline || gap.comma || gap.link) return negation && false;
    const word = words[on]!.text;
    if (steps === 0 && !copulas.has(word) && word !== 'would' && word !== 'seems' && word !== 'does' && word !== 'doesn' && word !== 'isn')
      return false;
    if (wrongPredicates.has(word)) return !negation;
    if (word === 'correct' || word === 'right' || word === 'fit' || word === 'apply') return negation;
    if (negators.has(word)) negation = true;
  }
  return false;
}

const cueNouns = new Set([
  'label',
  'sentiment',
  'class',
  'category',
  'classification',
  'prediction',
  'intent',
  'emotion',
  'topic',
  'verdict',
  'result',
  'output',
  'tone',
  'polarity',
  'stimmung',
  'klasse',
  'kategorie',
  'sentimiento',
  'categoría',
  'catégorie',
  'étiquette',
  'etiqueta',
  'categoria',
  'метка',
  'класс',
  'тональность',
]);
const hanCue = /(?:答案|情感|分类|类别|标签|ラベル|分類|感情|정답|라벨|분류|감정)/u;

/** "Label: X", "the sentiment is X": the last cue whose next label follows it directly. */
function cuedLabel(text: string, mentions: readonly LabelMention[]): number | 'several' | undefined {
  if (mentions.length === 0) return undefined;
  const words = splitWords(text);
  for (let at = words.length - 1; at >= 0; at--) {
    const word = words[at]!;
    if (!cueNouns.has(word.text) && !answerNouns.has(word.text) && !(word.text.charCodeAt(0) > 0x3000 && hanCue.test(word.text))) continue;
    const mention = mentions.find((one) => one.start >= word.end);
    if (mention === undefined || mention.negated || mention.start - word.end > 80) continue;
    const between = text.slice(word.end, mention.start);
    if (!/[:=>]|->|→|\b(?:is|was|be|ist|est|es|è|é|jest)\b|это|[是为為は은는]/u.test(between) && !/[是为為は은는]$/u.test(word.text))
      continue;
    if (
      !/^[\s\p{P}\p{S}]*(?:(?:of|this|the|sentence|text|review|tweet|that|statement|for|to|headline|news|message|is|was|be|would|most|likely|clearly|best|described|as|classified|label|a|an|it|ist|est|es|è|é|jest|это|probably|therefore|overall|strongly)[\s\p{P}\p{S}]*)*$/u.test(
        between.replace(/[是为為は은는]/gu, ' '),
      )
    )
      continue;
    const next = mentions.find((one) => one.start >= mention.end && one.index !== mention.index && !one.negated);
    if (
      next !== undefined &&
      /^\s*(?:\/|,|or|and|oder|ou|o|y|und|et)\s*(?:a |an |maybe |possibly |somewhat )?$/.test(text.slice(mention.end, next.start))
    ) {
      if (between.includes(':') && /^\s*(?:\/|,)/.test(text.slice(mention.end, next.start)) === false) return 'several';
      return 'several';
    }
    if (/^[^.\n]{0,40}\?/.test(text.slice(mention.end))) continue;
    return mention.index;
  }
  return undefined;
}

/** The reply opens with a label that punctuation or the line end closes, and does not go on to list others. */
function leadingLabel(text: string, mentions: readonly LabelMention[]): number | undefined {
  const first = mentions[0];
  if (first === undefined || first.negated || !/^[\s\p{P}\p{S}]*$/u.test(text.slice(0, first.start))) return undefined;
  const rest = text.slice(first.end);
  if (!/^[*_"'`)\]}»”]*\s*(?:[.,:;!(–—]|- |\n|$|because\b|since\b)/.test(rest)) return undefined;
  const second = mentions.find((one) => one.index !== first.index && !one.negated);
  if (second !== undefined && /^[\s\p{P}]*(?:or|and|oder|ou|y|und|et|vs)?[\s\p{P}]*$/u.test(text.slice(first.end, second.start)))
    return undefined;
  return first.index;
}

/** Hedges and questions that leave a single mention undecided. */
function doubts(text: string, mentions: readonly LabelMention[]): boolean {
  if (/\?\s*$/.test(text)) return true;
  const own = new Set(mentions.map((one) => text.slice(one.start, one.end)).flatMap((label) => label.split(' ')));
  return splitWords(text).some((word) => hedges.has(word.text) && !own.has(word.text));
}

const hedges = new Set(['unsure', 'unclear', 'cannot', 'impossible', 'undecided', 'ambiguous', 'unable', 'if', 'whether']);

/** Every declared label that the reply gives: a JSON list, separated items, or mentions that nothing rejects. */
export function readMultiLabel(answer: string, request: LabelReading, truncated: boolean): Reading {
  const body = withoutFence(answer);
  const listed = jsonLabels(body, request);
  if (listed !== undefined) return severalLabels(listed, request, 'json-list', truncated);
  const parts = body
    .replace(/^[^:\n]{1,40}:\s*/, '')
    .split(/\s*(?:[,;\n|]|\band\b|\/)\s*/i)
    .map((part) => part.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, ''))
    .filter((part) => bareText(part) !== '');
  const exact = parts.map((part) => exactLabel(part, request));
  if (parts.length > 0 && exact.every((index) => index !== undefined)) return severalLabels(exact as number[], request, 'items', truncated);
  if (/^(?:none|no labels?|\[\]|n\/a|nothing)$/i.test(bareText(body)) || body.trim() === '[]')
    return { value: '', values: [], rule: 'none', reason: null };
  if (truncated) return unread('truncated');
  const mentions = labelMentions(comparableKeepingLines(body), request).filter((one) => !one.negated);
  if (mentions.length === 0) return unread(refuses(answer) ? 'refused' : 'out-of-set', 'no declared label');
  return severalLabels(
    mentions.map((one) => one.index),
    request,
    'mentions',
    false,
  );
}

function jsonLabels(body: string, request: LabelReading): number[] | undefined {
  const open = body.search(/[[{]/);
  if (open < 0 || open > 60) return undefined;
  const value = parseLenientJson(body, open)?.value;
  const list = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.values(value).find(Array.isArray)
      : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item) => exactLabel(String(item), request) ?? []);
}

function severalLabels(indices: readonly number[], request: LabelReading, rule: string, truncated: boolean): Reading {
  const distinct = [...new Set(indices)].sort((a, b) => a - b);
  if (truncated && distinct.length === 0) return unread('truncated');
  const values = distinct.map((index) => request.labels[index]!);
  return { value: values.join(', '), values, rule, reason: null };
}
