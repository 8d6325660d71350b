// A server's own token counters, to hold against what a load test saw (before and after).
import type { ResolvedModel } from '../resolve-model.ts';
import { splitEndpoints } from '../shared/endpoint-address.ts';
import { parseServerAddress } from '../shared/server-address.ts';
import { defaultTimeouts, openConnection } from '../shared/server-connection.ts';
import { createRedactor, findApiKey } from '../shared/server-secrets.ts';
import { readServerMetrics, type ServerTokenTotals, tokenTotals } from './server-metrics.ts';

/** @returns null where the model is behind no such server or behind several, or the server publishes no counters (llama-server needs `--metrics`) */
export async function readServerTotals(
  model: Pick<ResolvedModel, 'backendKind' | 'url'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServerTokenTotals | null> {
  if (model.backendKind !== 'openai' || model.url === undefined || splitEndpoints(model.url).length > 1) return null;
  const address = parseServerAddress(model.url);
  const apiKey = findApiKey(address, environment);
  const faults = { shown: address.shown, redact: createRedactor([apiKey, ...address.secrets]) };
  const connection = openConnection({ address, apiKey, faults, timeouts: defaultTimeouts, environment });
  try {
    const metrics = await readServerMetrics(connection);
    return metrics === null ? null : tokenTotals(metrics);
  } finally {
    await connection.close();
  }
}
