// Measures two models in blocks A B B A and compares them; each block is one repetition.

import { openWorkspace } from '../workspace.ts';
import { modelOfBlock } from './block-name.ts';
import type { ComparePerfOptions } from './compare-perf.ts';
import { compareSubjects, type PointComparison, type SubjectRef } from './compare-perf-runs.ts';
import type { PerfHooks, PerfRequest, PerfResult } from './perf-request.ts';
import { joinValidity } from './perf-validity.ts';
import type { PerfRun } from './read-perf-run.ts';
import { readPerfRun } from './read-perf-run.ts';
import { runPerf } from './run-perf.ts';

/** The blocks of one model as one subject. */
function joined(run: PerfRun, blocks: readonly number[]): SubjectRef {
  const subjects = blocks.map((block) => run.performance.subjects[block]!);
  const repetitions = run.performance.repetitions;
  return {
    label: modelOfBlock(subjects[0]!.model),
    subject: { ...subjects[0]!, validity: joinValidity(subjects.map((subject) => subject.validity)) },
    requests: subjects.flatMap((subject, index) =>
      run.requests
        .filter((request) => request.model === subject.model)
        .map((request) => ({ ...request, rep: index * repetitions + request.rep })),
    ),
  };
}

export function compareBlocks(run: PerfRun, options: ComparePerfOptions): readonly PointComparison[] {
  return compareSubjects(joined(run, [0, 3]), joined(run, [1, 2]), options);
}

/** @throws ToolError `usage` unless there are exactly two models */
export async function compareInterleaved(
  request: PerfRequest,
  hooks: PerfHooks,
  options: ComparePerfOptions,
): Promise<{ readonly result: PerfResult; readonly comparison: readonly PointComparison[] }> {
  const result = await runPerf({ ...request, engine: null, search: null, interleave: true }, hooks);
  if (result.performance.subjects.length < 4) return { result, comparison: [] };
  const run = await readPerfRun(result.folder, await openWorkspace({ output: request.output, offline: true }));
  return { result, comparison: compareBlocks(run, options) };
}
