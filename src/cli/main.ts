// The command line: quick answers first, then the parser with the typed verb; errors become sentences and exit codes.
import { exitCodeOf, formatLocation, messageOf, ToolError } from '../core/errors.ts';
import { exitCodeBySignal } from './interrupt-signals.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { quickAnswer } from './quick-answers.ts';

function describe(thrown: unknown, verbose: boolean): string {
  if (!ToolError.isInstance(thrown)) {
    const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
    return `internal error: ${verbose ? stack : messageOf(thrown)}\n  this is a fault of slmbench; run again with SLMBENCH_DEBUG=1 for the trace`;
  }
  const where = thrown.location === undefined ? '' : `${formatLocation(thrown.location)}: `;
  // Many messages name the place themselves, for users of the library.
  const sentence = thrown.message.startsWith(where) ? thrown.message : where + thrown.message;
  const hint = thrown.hint === undefined ? '' : `\n  hint: ${thrown.hint}`;
  const cause =
    verbose && thrown.cause !== undefined
      ? `\n  cause: ${thrown.cause instanceof Error ? thrown.cause.stack : messageOf(thrown.cause)}`
      : '';
  return `error: ${sentence}${hint}${cause}`;
}

async function runVerb(args: readonly string[]): Promise<number> {
  const [{ CommanderError }, { buildProgram }, { setFlagsFromString }] = await Promise.all([
    import('commander'),
    import('./program.ts'),
    import('node:v8'),
  ]);
  // A heap that grows in small steps: a run of 100,000 samples then stays under 300 MB instead of 500, at about the same speed.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=25');
  let exitCode = 0;
  try {
    const program = await buildProgram(args, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    throw thrown;
  }
}

/**
 * A reader that closed the pipe (`| head`) wants no more: that is no failure. Progress and messages go on unread, so that a run
 * still writes its record; results are what a command ends with, and so it ends when nobody reads them.
 */
function endQuietlyOnClosedPipe(): void {
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}

/** Runs one command line (without `node` and script name) and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyOnClosedPipe();
  try {
    const quick = await quickAnswer(args);
    if (quick === null) return exitCodeBySignal(await runVerb(args));
    process.stdout.write(quick);
    return 0;
  } catch (thrown) {
    process.stderr.write(`${neutraliseForTerminal(describe(thrown, process.env['SLMBENCH_DEBUG'] === '1'))}\n`);
    return exitCodeBySignal(exitCodeOf(thrown));
  }
}
