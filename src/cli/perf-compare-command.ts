// `slmbench perf compare`: two finished runs, or two models measured now in A B B A blocks.
import type { PointComparison } from '../app/perf/compare-perf-runs.ts';
import { openWorkspace } from '../app/workspace.ts';
import { ToolError } from '../core/errors.ts';
import { renderPerfComparison, renderPerfComparisonMarkdown } from '../report/perf/render-perf-comparison.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { toPerfRequest } from './perf-request-options.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';
import type { PerfFlags } from './verbs/perf.ts';

type CompareFlags = PerfFlags & { readonly margin: number };

function print(comparison: readonly PointComparison[], flags: CompareFlags): void {
  const margin = flags.margin / 100;
  if (flags.json === true) process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
  else if (flags.markdown === true) process.stdout.write(renderPerfComparisonMarkdown(comparison, margin));
  else process.stdout.write(renderPerfComparison(comparison, margin, outputStyle()));
}

async function compareFinished(runs: readonly string[], flags: CompareFlags): Promise<number> {
  const [{ readPerfRun }, { compareSubjects, subjectsOf }, { compareBlocks }] = await Promise.all([
    import('../app/perf/read-perf-run.ts'),
    import('../app/perf/compare-perf-runs.ts'),
    import('../app/perf/compare-interleaved.ts'),
  ]);
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const opened = [];
  for (const run of runs) opened.push(await readPerfRun(run, workspace));
  const options = { seed: flags.seed, margin: flags.margin / 100 };
  const only = opened.length === 1 ? opened[0] : undefined;
  if (only !== undefined && only.performance.order === 'A B B A') {
    print(compareBlocks(only, options), flags);
    return 0;
  }
  const subjects = opened.flatMap((run) => subjectsOf(run));
  const [a, ...others] = subjects;
  if (a === undefined || others.length === 0)
    throw new ToolError('usage', 'perf compare needs two measured models: RUN RUN, or one run of two models');
  print(
    others.flatMap((b) => compareSubjects(a, b, options)),
    flags,
  );
  return 0;
}

async function compareNow(flags: CompareFlags): Promise<number> {
  const { compareInterleaved } = await import('../app/perf/compare-interleaved.ts');
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const request = toPerfRequest(flags, shownCommandLine(process.argv.slice(2)));
    const hooks = { listener: progress.listener, signal: interrupts.finish };
    const { result, comparison } = await compareInterleaved(request, hooks, { seed: flags.seed, margin: flags.margin / 100 });
    progress.close();
    print(comparison, flags);
    if (flags.json !== true) process.stdout.write(`\n${result.files.map((file) => `${file.what}: ${file.path}`).join('\n')}\n`);
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}

export async function perfCompareCommand(runs: readonly string[], flags: CompareFlags): Promise<number> {
  if (runs.length > 0 && flags.models !== undefined) {
    throw new ToolError('usage', 'perf compare takes finished runs or models to measure, not both', { hint: 'RUN RUN, or -m A B' });
  }
  if (runs.length > 0) return compareFinished(runs, flags);
  if (flags.models === undefined) throw new ToolError('usage', 'perf compare needs finished runs (RUN RUN) or two models (-m A B)');
  return compareNow(flags);
}
