// What the answer reader is asked for one row of a task.
import type { Row } from '../core/dataset.ts';
import type { JsonObject } from '../core/json.ts';
import type { ExtractionRequest } from './extraction/extraction.ts';
import { textOf, valueAt } from './row-values.ts';
import type { TaskBody } from './task-definition.ts';

export interface AnswerFacts {
  readonly row: Row;
  readonly fields: JsonObject;
  /** Option texts in the order shown; empty for tasks without options. */
  readonly options: readonly string[];
  readonly letters: readonly string[];
  readonly labels: readonly string[];
}

/** The request of a task's parser; `raw` asks for none. */
export function extractionRequestOf(body: TaskBody, kind: TaskBody['kind'], facts: AnswerFacts): ExtractionRequest | 'raw' {
  if (kind === 'choose-letter') return { kind: 'choice', options: facts.options, letters: facts.letters };
  const { parser } = body;
  switch (parser.kind) {
    case 'raw':
      return 'raw';
    case 'first-line':
    case 'text':
      return { kind: 'text' };
    case 'choice':
      if (facts.options.length === 0) return { kind: 'text' };
      return { kind: 'choice', options: facts.options, letters: facts.letters };
    case 'label':
    case 'multi-label':
      return { kind: parser.kind, labels: facts.labels, aliases: body.aliases };
    case 'number':
      return { kind: 'number', decimal: parser.decimal };
    case 'json':
      return { kind: 'json', schema: parser.schema };
    case 'code':
      return { kind: 'code', language: parser.language, entryPoint: entryPointOf(body, facts.fields) };
    case 'entities':
      return { kind: 'entities', text: parser.textColumn === undefined ? undefined : textOf(valueAt(facts.fields, parser.textColumn)) };
    case 'regex':
      return { kind: 'regex', pattern: parser.pattern ?? '', flags: parser.flags, group: parser.group, which: parser.which };
    default:
      return { kind: parser.kind };
  }
}

function entryPointOf(body: TaskBody, fields: JsonObject): string | undefined {
  const path = body.extra['entryPoint'];
  const value = path === undefined ? undefined : valueAt(fields, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
