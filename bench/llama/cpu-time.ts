// CPU seconds of processes: a fair measure on a machine that others use too.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second, fixed at 100 for user space on Linux. */
const ticksPerSecond = 100;

/** User and system seconds that a running process has used (Linux). */
export function cpuSecondsOf(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
    .replace(/^.*\) /u, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export interface TimedCommand {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly output: string;
}

/** Runs a command to its end and measures it with the shell's `times`. */
export function timeCommand(command: string, args: readonly string[]): TimedCommand {
  const quoted = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const started = performance.now();
  const result = spawnSync('bash', ['-c', `${quoted} 2>&1; code=$?; echo; times; exit $code`], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const wallSeconds = (performance.now() - started) / 1000;
  if (result.status !== 0) throw new Error(`${command} failed:\n${result.stdout.slice(-2000)}`);
  const times = [
    ...result.stdout
      .trim()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/gu),
  ];
  const cpuSeconds = times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { cpuSeconds, wallSeconds, output: result.stdout };
}
