// A worker process for the tests that kill it. Arguments: database URL, worker id, runs folder, seconds after which it is lost, clock skew in ms.
import { workOn } from '../../src/app/distributed/run-on-database.ts';

const [url, id, runsFolder, lostAfter, skewMs] = process.argv.slice(2);
if (skewMs !== undefined && skewMs !== '0') {
  const now = Date.now.bind(Date);
  const RealDate = Date;
  // Every stamp of this process is off by the skew, as on a machine whose clock is wrong.
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(now() + Number(skewMs));
      else super(...(args as [number]));
    }
    static override now(): number {
      return now() + Number(skewMs);
    }
  } as DateConstructor;
}
const finish = new AbortController();
process.on('SIGTERM', () => finish.abort());
await workOn(url, {
  id,
  runsFolder,
  offline: true,
  lostAfterSeconds: Number(lostAfter),
  retryDelaySeconds: 0,
  longestRetryDelaySeconds: 2,
  signal: finish.signal,
  write: (line) => process.stderr.write(line),
});
process.exit(0);
