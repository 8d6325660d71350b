// `slmbench status`, `cancel` and `logs` on a shared database.
import { cancelRun, readLogs, readStatus, type SharedStatus } from '../app/distributed/control.ts';
import { withSharedStore } from '../app/distributed/run-on-database.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import type { CancelFlags } from './verbs/cancel.ts';
import type { LogsFlags } from './verbs/logs.ts';
import type { StatusFlags } from './verbs/status.ts';

function statusText({ database, runs, workers }: SharedStatus): string {
  const lines = [database];
  for (const run of runs) {
    const share = run.samples === 0 ? '' : ` ${((100 * run.doneSamples) / run.samples).toFixed(1)} %`;
    const outcome = run.ended === null ? run.state : `${run.state}, record ${run.recordStatus}`;
    const { waiting, active, done, dead } = run.chunks;
    lines.push(
      `${run.runId}  ${outcome}  ${run.doneSamples}/${run.samples} samples${share}  chunks: ${done} done, ${active} active, ${waiting} waiting, ${dead} dead  priority ${run.priority}`,
      ...run.reasons.map((reason) => `  reason: ${reason}`),
    );
  }
  if (runs.length === 0) lines.push('no run has been submitted');
  for (const worker of workers) {
    const { refuses } = JSON.parse(worker.abilities) as { refuses?: Readonly<Record<string, string>> };
    lines.push(
      `worker ${worker.id}  ${worker.doing ?? 'idle'}  last sign of life ${worker.silentSeconds.toFixed(0)} s ago`,
      ...Object.values(refuses ?? {}).map((reason) => `  does not take: ${reason}`),
    );
  }
  if (workers.length === 0) lines.push('no worker is there: start some with slmbench worker');
  return `${lines.join('\n')}\n`;
}

export async function statusCommand(run: string | undefined, flags: StatusFlags): Promise<number> {
  const status = await withSharedStore(flags.database, (store) => readStatus(store, run));
  process.stdout.write(flags.json === true ? `${JSON.stringify(status, null, 2)}\n` : neutraliseForTerminal(statusText(status)));
  return 0;
}

export async function cancelCommand(run: string, flags: CancelFlags): Promise<number> {
  const cancelled = await withSharedStore(flags.database, (store) => cancelRun(store, run));
  process.stdout.write(cancelled ? `cancelled ${run}; what is done stays\n` : `${run} is over already\n`);
  return 0;
}

export async function logsCommand(run: string, flags: LogsFlags): Promise<number> {
  const interrupts = watchInterrupts();
  try {
    await withSharedStore(flags.database, async (store) => {
      for await (const { event } of readLogs(store, run, flags.follow === true, interrupts.finish)) process.stdout.write(`${event}\n`);
    });
    return 0;
  } finally {
    interrupts.dispose();
  }
}
