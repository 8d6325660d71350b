// Outputs made to explode naive patterns: each kind reads 200,000 characters of each in a bounded time, without an exception.
import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';
import type { ExtractionRequest } from './extraction.ts';

const labels = ['positive', 'negative'];
const requests: readonly ExtractionRequest[] = [
  { kind: 'choice', options: ['Rome', 'Paris'] },
  { kind: 'number' },
  { kind: 'label', labels },
  { kind: 'multi-label', labels },
  { kind: 'json' },
  { kind: 'code', entryPoint: 'f' },
  { kind: 'list' },
  { kind: 'entities', text: 'Rome' },
  { kind: 'text' },
  { kind: 'gsm8k-strict' },
  { kind: 'gsm8k-flexible' },
  { kind: 'math' },
  { kind: 'judge', scale: { kind: 'points', max: 10 } },
];
const size = 200_000;
const pieces = [
  ' ',
  '[',
  '{',
  '(',
  '{"a":',
  'answer ',
  'answer is ',
  'A B ',
  'not A or ',
  '1',
  '1,234,',
  '123 ',
  '1/',
  '1.',
  '`',
  '["',
  '\\boxed{',
  '#### ',
  '$',
  '<think>',
  '\n',
  'a',
  'A. Wait, ',
  'positive ',
  'not positive, ',
  'two ',
  '= ',
  '- a\n',
  'x\n',
  '\\frac{1}{',
  '**',
  '\u00a0',
  '答案',
  'é',
  '½',
  '"',
  "'",
  'Score: ',
  '|',
  '~~~\n',
  'A) ',
  'A or ',
];

describe('hostile outputs', () => {
  it.each(pieces)('reads many %j', (piece) => {
    const output = piece.repeat(size / piece.length);
    for (const request of requests) {
      for (const text of [output, `Answer:${output}B`]) {
        const start = process.cpuUsage();
        extractAnswer(text, request);
        expect(process.cpuUsage(start).user / 1000, request.kind).toBeLessThan(400);
      }
    }
  });
});
