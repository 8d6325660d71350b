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

/** Prompt and generated tokens since the server began, under whichever name it counts them. */
export interface ServerTokenTotals {
  readonly promptTokens: number | null;
  readonly generatedTokens: number | null;
}

export function tokenTotals(metrics: ServerMetrics): ServerTokenTotals {
  return {
    promptTokens: metrics['llamacpp:prompt_tokens_total'] ?? metrics['vllm:prompt_tokens_total'] ?? null,
    generatedTokens: metrics['llamacpp:tokens_predicted_total'] ?? metrics['vllm:generation_tokens_total'] ?? null,
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
