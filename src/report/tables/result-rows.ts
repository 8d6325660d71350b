// Every result of some records as one flat table: the base of CSV, XLSX and LaTeX.
import type { ReportView, ViewResult } from '../view-model.ts';

export type ResultCell = string | number | null;

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ResultCell[])[];
}

const columns = {
  run: ({ record }) => record.id,
  task: ({ task }) => task.key,
  model: ({ model }) => model.key,
  metric: ({ entry }) => entry.primary?.name ?? null,
  average: ({ entry }) => entry.primary?.average ?? null,
  value: ({ entry }) => entry.primary?.value ?? null,
  interval_low: ({ entry }) => entry.primary?.interval?.low ?? null,
  interval_high: ({ entry }) => entry.primary?.interval?.high ?? null,
  interval_method: ({ entry }) => entry.primary?.interval?.method ?? null,
  n: ({ entry }) => entry.primary?.n ?? 0,
  unit: ({ entry }) => entry.primary?.unit ?? null,
  total: ({ entry }) => entry.counts.total,
  invalid: ({ entry }) => entry.counts.invalid,
  errors: ({ entry }) => entry.counts.error,
  truncated: ({ entry }) => entry.counts.truncated,
  missing: ({ entry }) => entry.counts.missing,
  latency_p50_ms: ({ entry }) => entry.speed.latencyMs.p50,
  latency_p95_ms: ({ entry }) => entry.speed.latencyMs.p95,
  latency_p99_ms: ({ entry }) => entry.speed.latencyMs.p99,
  ttft_p50_ms: ({ entry }) => entry.speed.ttftMs.p50,
  tpot_p50_ms: ({ entry }) => entry.speed.tpotMs.p50,
  prefill_tok_s: ({ entry }) => entry.speed.prefillTokensPerSecond,
  decode_tok_s: ({ entry }) => entry.speed.decodeTokensPerSecond,
  load_ms: ({ loadMs }) => loadMs,
  peak_rss_bytes: ({ peakRssBytes }) => peakRssBytes,
  mean_cpu_percent: ({ entry }) => entry.resources?.meanCpuPercent ?? null,
  size_bytes: ({ model }) => model.facts.sizeBytes,
  parameters: ({ model }) => model.facts.parameters,
  quantisation: ({ model }) => model.facts.quantisation,
  model_digest: ({ model }) => model.facts.digest,
  manifest: ({ task }) => task.manifest,
  validity: ({ entry }) => entry.validity.verdict,
} satisfies Record<string, (result: ViewResult) => ResultCell>;

export function resultTable(view: ReportView): ResultTable {
  const read = Object.values(columns) as readonly ((result: ViewResult) => ResultCell)[];
  return {
    columns: Object.keys(columns),
    rows: view.tasks.flatMap((task) => task.results.map((result) => read.map((cell) => cell(result)))),
  };
}
