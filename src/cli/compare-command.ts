// `slmbench compare` in both forms: finished runs side by side, or models to run now (-m), whose engines load only then.
import { compareRuns } from '../app/compare.ts';
import { openWorkspace } from '../app/workspace.ts';
import { ToolError } from '../core/errors.ts';
import { renderComparisonMarkdown, renderComparisonTerminal } from '../report/compare/render-comparison.ts';
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
  const { compareModels } = await import('./compare-models.ts');
  return compareModels(flags, (folder) => compareRecords([folder], flags));
}
