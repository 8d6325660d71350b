// `slmbench worker`: JSON log lines on stderr until a signal; the chunk in hand is finished first, a second signal drops it.
import { workOn } from '../app/distributed/run-on-database.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import type { WorkerFlags } from './verbs/worker.ts';

export async function workerCommand(flags: WorkerFlags): Promise<number> {
  const interrupts = watchInterrupts();
  try {
    await workOn(flags.database, {
      id: flags.id,
      backends: flags.backends,
      memoryBytes: flags.memory === undefined ? undefined : flags.memory * 2 ** 30,
      labels: flags.label,
      lostAfterSeconds: flags.lostAfter,
      exitWhenIdleMs: flags.exitWhenIdle === undefined ? undefined : flags.exitWhenIdle * 1000,
      onlyRun: flags.run,
      metricsPort: flags.metricsPort,
      metricsHost: flags.metricsHost,
      offline: flags.offline,
      signal: interrupts.finish,
      stop: interrupts.stop,
      write: (line) => process.stderr.write(line),
    });
    return interrupts.finish.aborted ? 130 : 0;
  } finally {
    interrupts.dispose();
  }
}
