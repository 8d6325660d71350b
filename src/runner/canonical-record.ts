// The part of a record that says what was measured and answered, without times, resources and provenance: two runs of one plan
// are identical when these are equal.
import { canonicalJson } from '../core/json.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { RunRecord } from '../core/record.ts';
import { retryWarning } from './make-row.ts';

/** Reasons of a verdict that depend on the host or on how answers were obtained. */
const hostReasons: ReadonlySet<string> = new Set(['cached-timing', 'host-contended', 'previous-model-resident']);

export type CanonicalRecord = Readonly<Record<string, unknown>>;

export function canonicalRecord(record: RunRecord): CanonicalRecord {
  return {
    schema: record.schema,
    status: record.status,
    smoke: record.smoke,
    settings: { ...record.settings, cache: undefined, concurrency: undefined },
    models: record.models.map(({ facts, key, backend }) => ({
      key,
      backend,
      digest: facts.digest,
      adapters: facts.adapters.map(({ digest, scale }) => ({ digest, scale })),
    })),
    tasks: record.tasks.map(({ dataset, ...task }) => ({
      ...task,
      dataset: { name: dataset.name, split: dataset.split, splitManifest: dataset.splitManifest, splitSize: dataset.splitSize },
    })),
    results: record.results.map((result) => ({
      model: result.model,
      task: result.task,
      counts: { ...result.counts, fresh: undefined, cached: undefined },
      primary: result.primary,
      metrics: result.metrics,
      categories: result.categories,
      validity: result.validity.reasons.filter((reason) => !hostReasons.has(reason.code)),
    })),
    groups: record.groups,
  };
}

/** What a row says about the answer; how it was obtained is left out. */
export function canonicalRow(row: PredictionRow): Readonly<Record<string, unknown>> {
  const { timing: _timing, origin: _origin, usage, warnings, ...answer } = row;
  return {
    ...answer,
    usage: { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens, reasoningTokens: usage.reasoningTokens },
    warnings: warnings.filter((warning) => !warning.startsWith(retryWarning)),
  };
}

/** Lines of `slmbench record canonical RUN`: the record, then every row in plan order. */
export async function* canonicalLines(record: RunRecord, rows: AsyncIterable<PredictionRow>): AsyncGenerator<string> {
  yield `${canonicalJson(canonicalRecord(record))}\n`;
  for await (const row of rows) yield `${canonicalJson(canonicalRow(row))}\n`;
}
