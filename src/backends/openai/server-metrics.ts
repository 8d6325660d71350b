// The counters that a server publishes about itself (`/metrics`, Prometheus text), to cross-check what the client saw.
import { requestText } from '../shared/request-json.ts';
import type { ServerConnection } from '../shared/server-connection.ts';

/** Values by name; series that differ by labels are summed. */
export type ServerMetrics = Readonly<Record<string, number>>;

/** Reads the Prometheus text format 0.0.4; histogram buckets and quantiles are left out. */
export function parseMetrics(text: string): ServerMetrics {
  const sums: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(\{[^}]*\})?\s+(\S+)/u.exec(line);
    if (match === null || match[1]!.endsWith('_bucket') || match[2]?.includes('quantile=') === true) continue;
    const value = Number(match[3]!.replace('Inf', 'Infinity'));
    if (Number.isFinite(value)) sums[match[1]!] = (sums[match[1]!] ?? 0) + value;
  }
  return sums;
}

/** What a server has counted since it began, under whichever name it does; null is "not counted". */
export interface ServerTokenTotals {
  readonly promptTokens: number | null;
  readonly generatedTokens: number | null;
  readonly requests: number | null;
  /** True where prompt tokens that came from a cache are among the prompt tokens. */
  readonly countsCachedPrompts: boolean;
}

interface CounterNames {
  readonly promptTokens: string;
  readonly generatedTokens: string;
  readonly requests?: string;
  readonly countsCachedPrompts: boolean;
}

const counterNames: readonly CounterNames[] = [
  { promptTokens: 'llamacpp:prompt_tokens_total', generatedTokens: 'llamacpp:tokens_predicted_total', countsCachedPrompts: false },
  {
    promptTokens: 'vllm:prompt_tokens_total',
    generatedTokens: 'vllm:generation_tokens_total',
    requests: 'vllm:request_success_total',
    countsCachedPrompts: true,
  },
  { promptTokens: 'sglang:prompt_tokens_total', generatedTokens: 'sglang:generation_tokens_total', countsCachedPrompts: true },
];

/** null where no known server's counters are among the metrics. */
export function tokenTotals(metrics: ServerMetrics): ServerTokenTotals | null {
  const names = counterNames.find(({ promptTokens, generatedTokens }) => promptTokens in metrics || generatedTokens in metrics);
  if (names === undefined) return null;
  return {
    promptTokens: metrics[names.promptTokens] ?? null,
    generatedTokens: metrics[names.generatedTokens] ?? null,
    requests: names.requests === undefined ? null : (metrics[names.requests] ?? null),
    countsCachedPrompts: names.countsCachedPrompts,
  };
}

/** The server's metrics, or null where it has none (llama-server needs `--metrics`). */
export async function readServerMetrics(connection: ServerConnection): Promise<ServerMetrics | null> {
  try {
    const { text } = await requestText(connection, { method: 'GET', path: '/metrics', fromOrigin: true });
    const metrics = parseMetrics(text);
    return Object.keys(metrics).length === 0 ? null : metrics;
  } catch {
    return null;
  }
}
