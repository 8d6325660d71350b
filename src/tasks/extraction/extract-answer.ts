// Reads the answer out of a model's output: reasoning off, then the ordered rules of the requested kind. Pure; never throws on output.
import type { Extraction, ExtractionFacts, ExtractionRequest, Reading } from './extraction.ts';
import { unread } from './extraction.ts';
import { readChoice } from './read-choice.ts';
import { readLabel, readMultiLabel } from './read-label.ts';
import { readNumber } from './read-number.ts';
import { separateReasoning } from './separate-reasoning.ts';

/**
 * The answer as a careful person would read it: null where a person could not tell, never a guess.
 *
 * @example extractAnswer('The answer is (B).', { kind: 'choice', options: ['Rome', 'Paris'] }).index // 1
 */
export function extractAnswer(output: string, request: ExtractionRequest, facts: ExtractionFacts = {}): Extraction {
  const { answer, reasoning, thinkingOnly } = separateReasoning(output, facts);
  const truncated = facts.finishReason === 'length';
  const reading = answer === '' ? nothingWritten(thinkingOnly, truncated, output) : readKind(answer, request, truncated);
  return { ...reading, reasoning, cleaned: answer };
}

function nothingWritten(thinkingOnly: boolean, truncated: boolean, output: string): Reading {
  if (output.trim() === '' && truncated) return unread('truncated', thinkingOnly ? 'thinking-only' : 'empty');
  if (thinkingOnly) return unread('thinking-only', truncated ? 'truncated' : undefined);
  return unread('empty');
}

function readKind(answer: string, request: ExtractionRequest, truncated: boolean): Reading {
  switch (request.kind) {
    case 'choice':
      return readChoice(answer, request.options, request.letters, truncated);
    case 'number':
      return readNumber(answer, request, truncated);
    case 'label':
      return readLabel(answer, request, truncated);
    case 'multi-label':
      return readMultiLabel(answer, request, truncated);
    default:
      return unread('unparseable', `kind ${request.kind} is not known`);
  }
}
