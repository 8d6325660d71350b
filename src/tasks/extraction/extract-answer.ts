// Reads the answer out of a model's output: reasoning off, then the ordered rules of the requested kind. Pure; never throws on output.
import type { Extraction, ExtractionFacts, ExtractionRequest, Reading } from './extraction.ts';
import { unread } from './extraction.ts';
import { readChoice } from './read-choice.ts';
import { readCode } from './read-code.ts';
import { readEntities } from './read-entities.ts';
import { readJson } from './read-json.ts';
import { readJudge } from './read-judge.ts';
import { readLabel, readMultiLabel } from './read-label.ts';
import { readList } from './read-list.ts';
import { readMath } from './read-math.ts';
import { readNumber } from './read-number.ts';
import { readGsm8kFlexible, readGsm8kStrict, readPattern, readText } from './read-pattern.ts';
import { type SeparatedOutput, separateReasoning } from './separate-reasoning.ts';
import { withoutStruckText } from './struck-text.ts';

/**
 * The answer as a careful person would read it: null where a person could not tell, never a guess.
 *
 * @example extractAnswer('The answer is (B).', { kind: 'choice', options: ['Rome', 'Paris'] }).index // 1
 */
export function extractAnswer(output: string, request: ExtractionRequest, facts: ExtractionFacts = {}): Extraction {
  const separated = separateReasoning(output, facts);
  const { answer, reasoning, thinkingOnly } = separated;
  const truncated = facts.finishReason === 'length';
  const reading = answer === '' ? nothingWritten(thinkingOnly, truncated, output) : readKind(separated, request, truncated);
  return { ...reading, reasoning, cleaned: answer };
}

function nothingWritten(thinkingOnly: boolean, truncated: boolean, output: string): Reading {
  if (output.trim() === '' && truncated) return unread('truncated', thinkingOnly ? 'thinking-only' : 'empty');
  if (thinkingOnly) return unread('thinking-only', truncated ? 'truncated' : undefined);
  return unread('empty');
}

/** Of a reply longer than a person reads, the beginning and the end are read: an answer stands at one of the two. */
const windowHead = 4_000;
const windowTail = 16_000;

const wholeKinds: ReadonlySet<string> = new Set(['json', 'list', 'entities', 'text', 'regex', 'gsm8k-strict', 'gsm8k-flexible']);

function readableWindow(answer: string): string {
  if (answer.length <= windowHead + windowTail) return answer;
  return `${answer.slice(0, windowHead)}\n…\n${answer.slice(-windowTail)}`;
}

function readKind({ answer: whole, indented }: SeparatedOutput, request: ExtractionRequest, truncated: boolean): Reading {
  const answer = wholeKinds.has(request.kind) ? whole : withoutStruckText(readableWindow(whole));
  switch (request.kind) {
    case 'choice':
      return readChoice(answer, request.options, request.letters, truncated);
    case 'number':
      return readNumber(answer, request, truncated);
    case 'label':
      return readLabel(answer, request, truncated);
    case 'multi-label':
      return readMultiLabel(answer, request, truncated);
    case 'json':
      return readJson(answer, request.schema, truncated);
    case 'code':
      return readCode(indented, request.language, request.entryPoint, truncated);
    case 'list':
      return readList(answer, truncated);
    case 'entities':
      return readEntities(answer, request.text, truncated);
    case 'text':
      return readText(answer, request.rules);
    case 'regex':
      return readPattern(answer, request, truncated);
    case 'gsm8k-strict':
      return readGsm8kStrict(answer);
    case 'gsm8k-flexible':
      return readGsm8kFlexible(answer);
    case 'math':
      return readMath(answer, truncated);
    case 'judge':
      return readJudge(answer, request.scale, truncated);
  }
}
