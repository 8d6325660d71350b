// `slmbench compare -m A B`: runs the models on the same items, then puts them side by side.
import { evaluateRequest } from '../app/evaluate-request.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { printResult } from './run-evaluation.ts';
import { shownCommandLine, toEvaluationRequest } from './run-options.ts';
import type { CompareFlags } from './verbs/compare.ts';

/** @param compareRun - prints the comparison of the models of one finished run */
export async function compareModels(flags: CompareFlags, compareRun: (folder: string) => Promise<void>): Promise<number> {
  const datasets = [...(flags.datasets ?? []), ...(flags.task ?? []), ...(flags.dataset ?? []).flatMap((name) => name.split(','))];
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  const request = toEvaluationRequest(
    { ...flags, task: undefined, datasets: datasets.length > 0 ? datasets : ['mmlu'] },
    shownCommandLine(process.argv.slice(2)),
  );
  try {
    const result = await evaluateRequest(request, { listener: progress.listener, finish: interrupts.finish, stop: interrupts.stop });
    progress.close();
    printResult(result, flags);
    if (result.kind === 'record' && flags.json !== true && result.record.models.length > 1) {
      process.stdout.write('\n');
      await compareRun(result.folder);
    }
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
