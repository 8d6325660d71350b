// `slmbench quickstart`: progress, the table, where the files are, and what to try next.
import { quickstart } from '../app/quickstart.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { printResult } from './run-evaluation.ts';
import { shownCommandLine } from './run-options.ts';
import type { QuickstartFlags } from './verbs/quickstart.ts';

const nextSteps = `
Next:
  slmbench list models                        models that can be named with -m
  slmbench run -m ./your.gguf -d ./your.jsonl your own model on your own data
  slmbench verify latest                      recompute every number from the journal
`;

export async function quickstartCommand(flags: QuickstartFlags): Promise<number> {
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const { result, heading } = await quickstart(
      {
        threads: flags.threads,
        output: flags.output,
        offline: flags.offline === true,
        commandLine: shownCommandLine(process.argv.slice(2)),
      },
      { listener: progress.listener, finish: interrupts.finish, stop: interrupts.stop },
    );
    progress.close();
    if (heading !== null && flags.json !== true) process.stdout.write(`${heading}\n`);
    printResult(result, { json: flags.json });
    if (flags.json !== true && flags.quiet !== true) process.stdout.write(nextSteps);
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
