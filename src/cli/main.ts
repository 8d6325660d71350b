// The command line: parses, dispatches to one lazily loaded file per verb, and turns errors into sentences and exit codes.
import { CommanderError } from 'commander';
import { exitCodeOf, formatLocation, messageOf, ToolError } from '../core/errors.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { buildProgram } from './program.ts';

function describe(thrown: unknown, verbose: boolean): string {
  if (!ToolError.isInstance(thrown)) {
    const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
    return `internal error: ${verbose ? stack : messageOf(thrown)}\n  this is a fault of slmbench; run again with SLMBENCH_DEBUG=1 for the trace`;
  }
  const where = thrown.location === undefined ? '' : `${formatLocation(thrown.location)}: `;
  const hint = thrown.hint === undefined ? '' : `\n  hint: ${thrown.hint}`;
  const cause =
    verbose && thrown.cause !== undefined
      ? `\n  cause: ${thrown.cause instanceof Error ? thrown.cause.stack : messageOf(thrown.cause)}`
      : '';
  return `error: ${where}${thrown.message}${hint}${cause}`;
}

/** Runs one command line (without `node` and script name) and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  try {
    const program = await buildProgram(args, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${neutraliseForTerminal(describe(thrown, process.env['SLMBENCH_DEBUG'] === '1'))}\n`);
    return exitCodeOf(thrown);
  }
}
