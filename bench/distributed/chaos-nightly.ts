// A hundred rounds of the chaos test, for a nightly job: `node bench/distributed/chaos-nightly.ts [seeds] [first]`. Exit code 1 on any loss.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chaosRound } from '../../test/system/distributed-chaos.ts';
import { startDatabase } from '../../test/system/distributed-database.ts';

const seeds = Number(process.argv[2] ?? 100);
const first = Number(process.argv[3] ?? 1);
const server = await startDatabase();
const folder = await mkdtemp(join(tmpdir(), 'slmbench-nightly-'));
let failed = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const own = join(folder, String(seed));
  const result = await chaosRound(server, `chaos${seed}`, own, {
    seed,
    samples: 2000,
    workers: 4,
    killsPerWorker: 10,
    restarts: 2,
    latencyMs: 600,
  });
  const ok = result.status === 'complete' && result.isIdentical && result.rows === 2000 && result.differences.length === 0;
  if (!ok) failed++;
  process.stdout.write(`${JSON.stringify({ seed, ok, ...result })}\n`);
  if (ok) await rm(own, { recursive: true, force: true });
}
await server.stop();
process.stdout.write(`${seeds - failed} of ${seeds} rounds without loss${failed > 0 ? `; traces are in ${folder}` : ''}\n`);
process.exit(failed === 0 ? 0 : 1);
