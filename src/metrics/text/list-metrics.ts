// Metrics for answers that are lists: named entities, sets of items, DROP spans.
import { z } from 'zod';
import type { Metric } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { defineCorpusMetric } from './corpus-metric.ts';
import { dropScores } from './drop-f1.ts';
import { type Entity, matchEntities, readEntity } from './entities.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { normaliseAnswer, normalisers } from './normalise-answer.ts';
import { answerOf, referencesOf } from './row-text.ts';
import { multisetF1 } from './token-f1.ts';

function f1Of(hits: number, predicted: number, gold: number): number {
  return predicted + gold === 0 ? 1 : (2 * hits) / (predicted + gold);
}

/** Items of a list answer: the row's own list, or its answer as a JSON list, or as a single item. */
function predictedItems(row: PredictionRow): readonly string[] {
  if (row.outcome.kind !== 'scored') return [];
  if (row.predictions !== undefined) return row.predictions;
  const answer = answerOf(row);
  return answer === null ? [] : itemsOf(answer);
}

function itemsOf(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  } catch {
    // Not JSON: the text is one item.
  }
  return text === '' ? [] : [text];
}

/** Gold items; null where the row says nothing about them. An empty list is a gold answer too. */
function goldItems(row: PredictionRow): readonly string[] | null {
  if (row.references !== undefined) return row.references;
  return row.label === null ? null : itemsOf(row.label);
}

const entityMetric = defineCorpusMetric({
  name: 'entity_f1',
  version: '1',
  title: 'Entity F1',
  description:
    'Micro F1, precision and recall of entities {label, text, start, end} given as JSON in `predictions` and `references`. strict: same label and span; partial: an overlap with the same label counts one half (SemEval 2013 task 9). ' +
    'With `extra.text` spans are verified; an entity that is not in the text is a false positive.',
  unit: 'fraction',
  options: z.strictObject({}),
  prepare: () => {
    let unverified = 0;
    return {
      columns: ['strict', 'partial'].flatMap((average) =>
        ['entity_f1', 'entity_precision', 'entity_recall'].map((name) => ({ name, average })),
      ),
      statistics: (row) => {
        const gold = goldItems(row);
        if (gold === null) return null;
        const source = row.extra?.['text'];
        const text = typeof source === 'string' ? [...source] : null;
        const isEntity = (entity: Entity | null): entity is Entity => entity !== null;
        const claimed = predictedItems(row);
        const predicted = claimed.map((json) => readEntity(json, text)).filter(isEntity);
        const expected = gold.map((json) => readEntity(json, text)).filter(isEntity);
        unverified += claimed.length - predicted.length;
        const { exact, overlapping } = matchEntities(predicted, expected);
        return [exact, exact + overlapping / 2, claimed.length, expected.length];
      },
      combine: ([strict, partial, predicted, gold]) =>
        [strict!, partial!].flatMap((hits) => [
          f1Of(hits, predicted!, gold!),
          predicted === 0 ? 0 : hits / predicted!,
          gold === 0 ? 0 : hits / gold!,
        ]),
      rowScore: ([strict, , predicted, gold]) => f1Of(strict!, predicted!, gold!),
      notes: () => (unverified === 0 ? [] : [`${unverified} predicted entities are not in the text or not readable and count as wrong`]),
    };
  },
});

const itemOptions = z.strictObject({ normaliser: z.enum(normalisers).default('native') });

function defineItems(
  name: string,
  title: string,
  description: string,
  score: (predicted: readonly string[], gold: readonly string[]) => number,
): Metric {
  return defineMeanMetric({
    name,
    version: '1',
    title,
    description,
    options: itemOptions,
    prepare: ({ normaliser }) => ({
      score: (row) => {
        const gold = goldItems(row);
        if (gold === null) return null;
        if (row.outcome.kind !== 'scored') return 0;
        const normal = (items: readonly string[]) => items.map((item) => normaliseAnswer(item, normaliser));
        return score(normal(predictedItems(row)), normal(gold));
      },
      signature: `norm:${normaliser}`,
    }),
  });
}

const dropOptions = z.strictObject({});

/** Gold answers of DROP: each reference is one answer, several spans as a JSON list. */
function dropBest(row: PredictionRow, part: 'exact' | 'f1'): number | null {
  const references = referencesOf(row);
  if (references.length === 0) return null;
  const answer = answerOf(row);
  if (answer === null) return 0;
  const predicted = row.predictions ?? [answer];
  let best = 0;
  for (const reference of references) {
    const gold = itemsOf(reference);
    if ((gold[0] ?? '').trim() !== '') best = Math.max(best, dropScores(predicted, gold)[part]);
  }
  return best;
}

export const listMetrics: readonly Metric[] = [
  entityMetric,
  defineItems('list_f1', 'List F1', 'Mean F1 of predicted and gold items as multisets, after normalising each item.', multisetF1),
  defineItems(
    'set_match',
    'Set match',
    'Share of rows whose predicted items are exactly the gold items, in any order, repeats ignored.',
    (predicted, gold) => {
      const left = new Set(predicted);
      const right = new Set(gold);
      return Number(left.size === right.size && [...left].every((item) => right.has(item)));
    },
  ),
  defineMeanMetric({
    name: 'drop_f1',
    version: '1',
    title: 'DROP F1',
    description: 'F1 of DROP (Dua et al. 2019) as lm-eval computes it: best alignment of spans, numbers must agree.',
    options: dropOptions,
    prepare: () => ({ score: (row) => dropBest(row, 'f1') }),
  }),
  defineMeanMetric({
    name: 'drop_em',
    version: '1',
    title: 'DROP exact match',
    description: 'Exact match of DROP (Dua et al. 2019) as lm-eval computes it.',
    options: dropOptions,
    prepare: () => ({ score: (row) => dropBest(row, 'exact') }),
  }),
];
