// Every line of the corpora beside this file: a model output, and how a careful person reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractAnswer } from '../../../src/tasks/extraction/extract-answer.ts';
import type { ExtractionFacts, ExtractionRequest } from '../../../src/tasks/extraction/extraction.ts';
import { numbersEqual } from '../../../src/tasks/extraction/numbers-equal.ts';

interface CorpusLine extends Omit<ExtractionFacts, 'reasoning'> {
  readonly id: string;
  readonly kind: string;
  readonly output: string;
  readonly max?: number;
  readonly min?: number;
  readonly value?: string | null;
  readonly values?: readonly string[];
  readonly rule?: string;
  readonly reason?: string;
  readonly gold?: string;
  readonly equal?: boolean;
  readonly reasoning?: string | null;
  readonly [key: string]: unknown;
}

function requestOf(line: CorpusLine): ExtractionRequest {
  if (line.kind === 'judge') {
    const labels = line['labels'] as readonly string[] | undefined;
    return { kind: 'judge', scale: labels ? { kind: 'labels', labels } : { kind: 'points', max: line.max!, min: line.min } };
  }
  const { id: _id, output: _output, value: _value, ...request } = line;
  return request as unknown as ExtractionRequest;
}

const folder = new URL('.', import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => line.trim() !== '');
  describe(file, () => {
    for (const text of lines) {
      const line = JSON.parse(text) as CorpusLine;
      it(`${line.id}: ${JSON.stringify(line.output).slice(0, 90)}`, () => {
        const read = extractAnswer(line.output, requestOf(line), line);
        if (line.equal !== undefined) expect(numbersEqual(read.value ?? '', line.gold!, line as object)).toBe(line.equal);
        else if (line.values !== undefined) expect(read.values ?? null).toEqual(line.values);
        else expect(read.value).toBe(line.value);
        if (line.reason !== undefined) expect(read.reason).toBe(line.reason);
        if (line.rule !== undefined) expect(read.rule).toBe(line.rule);
        expect((read.value === null) === (read.rule === null)).toBe(true);
        expect((read.value === null) === (read.reason !== null)).toBe(true);
      });
    }
  });
}
