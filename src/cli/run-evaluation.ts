// Runs one evaluation from flags: progress on stderr, the table or JSON on stdout, where the files are, and the exit code.

import { evaluateRequest } from '../app/evaluate-request.ts';
import type { EvaluationResult } from '../app/evaluation-request.ts';
import { renderTerminal } from '../report/terminal/render-terminal.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { type RunFlags, shownCommandLine, toEvaluationRequest } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';

export function printResult(result: EvaluationResult, flags: RunFlags): void {
  // The process ends in the print where nobody reads it (`| head`).
  process.exitCode = result.exitCode;
  if (result.kind === 'plan') {
    process.stdout.write(flags.json === true ? `${JSON.stringify(result.plan, null, 2)}\n` : result.text);
    return;
  }
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(result.record, null, 2)}\n`);
    return;
  }
  process.stdout.write(renderTerminal([result.record], outputStyle()));
  for (const note of result.record.notes) process.stdout.write(`note: ${note}\n`);
  process.stdout.write(`\n${result.files.map((file) => `${file.what}: ${file.path}`).join('\n')}\n`);
}

/** Returns the exit code: 0 complete, 1 failed, 130 interrupted. */
export async function runEvaluation(flags: RunFlags, args: readonly string[] = process.argv.slice(2)): Promise<number> {
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const request = toEvaluationRequest(flags, shownCommandLine(args));
    const hooks = { listener: progress.listener, finish: interrupts.finish, stop: interrupts.stop };
    const result =
      flags.database === undefined || flags.dryRun === true
        ? await evaluateRequest(request, hooks)
        : await (await import('../app/distributed/run-on-database.ts')).runOnDatabase(flags.database, request, hooks);
    progress.close();
    printResult(result, flags);
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
