// `slmbench compare` in both forms: run models now (-m), or put finished runs side by side.
import { compareRuns } from '../app/compare.ts';
import { evaluateRequest } from '../app/evaluate-request.ts';
import { openWorkspace } from '../app/workspace.ts';
import { ToolError } from '../core/errors.ts';
import { renderComparisonMarkdown, renderComparisonTerminal } from '../report/compare/render-comparison.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { printResult } from './run-evaluation.ts';
import { shownCommandLine, toEvaluationRequest } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';
import type { CompareFlags } from './verbs/compare.ts';

async function compareRecords(runs: readonly string[], flags: CompareFlags): Promise<void> {
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const comparison = await compareRuns(runs, { workspace, baseline: flags.baseline });
  if (flags.json === true)
    process.stdout.write(
      `${JSON.stringify(
        comparison.tasks.map(({ results, ...task }) => ({
          ...task,
          task: task.task.key,
          results: results.map(({ contender, entry, ...result }) => ({
            ...result,
            label: contender.label,
            run: contender.record.id,
            model: entry.model,
          })),
        })),
        null,
        2,
      )}\n`,
    );
  else
    process.stdout.write(
      flags.markdown === true ? renderComparisonMarkdown(comparison) : renderComparisonTerminal(comparison, outputStyle()),
    );
}

async function compareModels(flags: CompareFlags): Promise<number> {
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
      await compareRecords([result.folder], flags);
    }
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}

export async function compareCommand(runs: readonly string[], flags: CompareFlags): Promise<number> {
  if (runs.length > 0 && flags.models !== undefined) {
    throw new ToolError('usage', 'compare takes finished runs or models to run, not both', {
      hint: 'slmbench compare RUN RUN, or slmbench compare -m A B -d NAME',
    });
  }
  if (runs.length > 0) {
    await compareRecords(runs, flags);
    return 0;
  }
  if (flags.models === undefined) throw new ToolError('usage', 'compare needs models (-m A B) or finished runs (RUN RUN)');
  return compareModels(flags);
}
