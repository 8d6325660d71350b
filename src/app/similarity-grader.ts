// Grades an answer by its meaning: the largest cosine between its sentence embedding and those of the accepted references.
import type { Embedder, Grader } from '../core/ports/grader.ts';
import type { Grade, PredictionRow } from '../core/prediction.ts';
import { cosineOfUnit } from '../embedding/cosine.ts';

function referencesOf(row: PredictionRow): readonly string[] {
  const all = row.references ?? (row.label === null ? [] : [row.label]);
  return all.filter((text) => text.trim() !== '');
}

/** @param open - called at the first answer, so that a run without one loads no model */
export function createSimilarityGrader(open: () => Promise<Embedder>): Grader {
  const name = 'similarity';
  let embedder: Promise<Embedder> | null = null;
  const known = new Map<string, Float32Array>();
  return {
    name,
    version: '1',
    grade: async (row): Promise<Grade> => {
      const references = referencesOf(row);
      if (references.length === 0) return { grader: name, score: null, verdict: 'no reference' };
      if (row.prediction === null || row.prediction.trim() === '') return { grader: name, score: 0, verdict: 'no answer' };
      embedder ??= open();
      const model = await embedder;
      const fresh = references.filter((text) => !known.has(text));
      const [answer, ...vectors] = await model.embed([row.prediction, ...fresh]);
      for (const [index, text] of fresh.entries()) known.set(text, vectors[index]!);
      const cosines = references.map((text) => cosineOfUnit(answer!, known.get(text)!));
      return { grader: name, score: Math.max(...cosines), verdict: 'graded', detail: model.name };
    },
    close: async () => {
      if (embedder !== null) await (await embedder).close();
    },
  };
}
