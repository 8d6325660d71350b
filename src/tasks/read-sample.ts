// Reads a model's answer to one prepared sample.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { ModelAnswer, PreparedSample, ReadAnswer } from '../core/task.ts';
import { renderTemplate } from '../templating/render-template.ts';
import type { TurnRules } from './build-turns.ts';
import { documentOf, type TaskDocument } from './document.ts';
import { extractionRequestOf } from './extraction-request.ts';
import { namesOf } from './prepare-sample.ts';
import { readChoices } from './read-choices.ts';
import { type GenerationReading, readGeneration } from './read-generation.ts';
import { readRolling } from './read-rolling.ts';
import { optionLetters, variablesOf } from './row-values.ts';

export function readSample(rules: TurnRules, sample: PreparedSample, answer: ModelAnswer, row: Row): ReadAnswer {
  if (answer.kind !== sample.request.kind) {
    throw new ToolError('internal', `asked by "${sample.request.kind}" but answered by "${answer.kind}"`);
  }
  if (answer.kind === 'rolling') {
    const { words, bytes } = sample.facts.extra as { words: number; bytes: number };
    return readRolling(answer.result, { words, bytes });
  }
  const document = documentOf(row, rules);
  if (answer.kind === 'score') return readChoices(namesOf(rules, document), answer.result, answer.unconditional);
  return readGeneration(answer.result, readingOf(rules, document, row));
}

function readingOf(rules: TurnRules, document: TaskDocument, row: Row): GenerationReading {
  const { body, kind } = rules;
  const { fields, options } = document;
  const letters = optionLetters.slice(0, options.length);
  const request = extractionRequestOf(body, kind, { row, fields, options, letters, labels: options });
  const template = body.assemble;
  return {
    request,
    firstLine: body.parser.kind === 'first-line' && kind === 'generate',
    names: request !== 'raw' && (request.kind === 'choice' || request.kind === 'label') ? namesOf(rules, document) : undefined,
    assemble: template === undefined ? undefined : (text) => renderTemplate(template, { ...variablesOf(fields), answer: text }),
  };
}
