// Opens the addresses of a model: one as it is, several (or one with a limit) as a pool that an operator's drain file steers.
import type { Backend } from '../../core/ports/backend.ts';
import { drainVariable, watchDrainFile } from './drain-file.ts';
import { parseEndpoints } from './endpoint-address.ts';
import { openEndpointPool } from './endpoint-pool.ts';

export interface OpenEndpointsOptions {
  /** @param isOneOfMany - another endpoint can answer: a failed connection is told at once instead of being tried again */
  readonly open: (url: string, isOneOfMany: boolean) => Promise<Backend>;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export async function openEndpoints(text: string, { open, environment }: OpenEndpointsOptions): Promise<Backend> {
  const addresses = parseEndpoints(text);
  const [first] = addresses;
  if (addresses.length === 1 && first!.limit === null) return open(first!.url, false);
  const isOneOfMany = addresses.length > 1;
  let unwatch = (): void => undefined;
  const pool = await openEndpointPool(
    addresses.map(({ url, name, limit }) => ({ name, limit, open: () => open(url, isOneOfMany) })),
    { onClose: () => unwatch() },
  );
  const drainFile = (environment ?? process.env)[drainVariable];
  if (drainFile !== undefined && drainFile !== '') unwatch = watchDrainFile(drainFile, pool.drain);
  return pool;
}
