// A worker process for the tests that kill it. Arguments: database URL, worker id, runs folder, options as JSON.
import { workOn } from '../../src/app/distributed/run-on-database.ts';

export interface WorkerChildOptions {
  readonly lostAfterSeconds?: number | undefined;
  /** How much this process's clock is off. */
  readonly skewMs?: number | undefined;
  readonly metricsPort?: number | undefined;
}

const [url, id, runsFolder, options] = process.argv.slice(2);
const { lostAfterSeconds, skewMs = 0, metricsPort } = JSON.parse(options ?? '{}') as WorkerChildOptions;
if (skewMs !== 0) {
  const now = Date.now.bind(Date);
  const RealDate = Date;
  // Every stamp of this process is off by the skew, as on a machine whose clock is wrong.
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(now() + skewMs);
      else super(...(args as [number]));
    }
    static override now(): number {
      return now() + skewMs;
    }
  } as DateConstructor;
}
const finish = new AbortController();
process.on('SIGTERM', () => finish.abort());
await workOn(url, {
  id,
  runsFolder,
  offline: true,
  lostAfterSeconds,
  metricsPort,
  retryDelaySeconds: 0,
  longestRetryDelaySeconds: 2,
  signal: finish.signal,
  write: (line) => process.stderr.write(line),
});
process.exit(0);
