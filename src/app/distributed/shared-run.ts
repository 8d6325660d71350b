// A submitted run on a worker: its plan, and its tasks and models resolved again on this machine and proven to be the same.

import type { Row } from '../../core/dataset.ts';
import { ToolError } from '../../core/errors.ts';
import type { Metric } from '../../core/metric.ts';
import { suggestName } from '../../core/names.ts';
import type { PlannedModel, RunPlan } from '../../core/plan.ts';
import type { Backend } from '../../core/ports/backend.ts';
import type { Grader } from '../../core/ports/grader.ts';
import type { RunnableTask } from '../../core/task.ts';
import { type PlaceOf, rowPlaces } from '../../store/postgres/journal-table.ts';
import { readPlan } from '../../store/postgres/run-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { readSubmission } from '../../store/postgres/submission-table.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';
import { promptContextFor } from '../evaluate-request.ts';
import { openGraders } from '../open-graders.ts';
import { prepareJudges } from '../prepare-judges.ts';
import { prepareModels } from '../prepare-models.ts';
import { prepareTasks } from '../prepare-tasks.ts';
import { loadUserMetrics } from '../user-metrics.ts';
import type { Workspace } from '../workspace.ts';
import { parseSubmission, type Submission } from './submission.ts';

export interface SharedTask {
  readonly task: RunnableTask;
  readonly rowsById: ReadonlyMap<string, Row>;
  readonly definition: TaskDefinition;
}

export interface SharedRun {
  readonly run: string;
  readonly runId: string;
  readonly plan: RunPlan;
  readonly submission: Submission;
  readonly placeOf: PlaceOf;
  readonly promptContext: ReturnType<typeof promptContextFor>;
  /** Loaded at first use. @throws ToolError when this machine cannot make the same task */
  readonly tasks: () => Promise<readonly SharedTask[]>;
  readonly graders: () => Promise<readonly Grader[]>;
  readonly userMetrics: () => Promise<readonly Metric[]>;
  /** Finds the model on this machine. @throws ToolError when it is not there or not the same */
  readonly findModel: (model: PlannedModel) => Promise<() => Promise<Backend>>;
  readonly close: () => Promise<void>;
}

async function prepareSharedTasks(plan: RunPlan, submission: Submission, workspace: Workspace): Promise<SharedTask[]> {
  const prepared = await prepareTasks({
    uses: submission.recipe.tasks.map((use) => (typeof use === 'string' ? { name: use } : use)),
    settings: submission.recipe.run,
    dataFile: submission.dataFile,
    judges: submission.recipe.judges,
    workspace,
    onNote: () => undefined,
  });
  return plan.tasks.map((planned): SharedTask => {
    const own = prepared.find(({ task }) => task.key === planned.key);
    if (own === undefined) {
      throw new ToolError('not-found', `the plan has a task "${planned.key}" that this worker does not know`, {
        hint: suggestName(
          planned.key,
          prepared.map(({ task }) => task.key),
        ),
      });
    }
    if (own.task.digest !== planned.digest) {
      throw new ToolError('config', `task "${planned.key}" has other prompts or another version here than where the run was submitted`, {
        hint: 'use the same slmbench and the same task files on all machines',
      });
    }
    const rowsById = new Map(own.task.rows.map((row) => [row.id, row]));
    const missing = planned.sampleIds.filter((id) => !rowsById.has(id));
    if (missing.length > 0) {
      throw new ToolError('data', `task "${planned.key}" lacks ${missing.length} samples of the plan here, the first is ${missing[0]}`, {
        hint: 'the data differs from that of the submitting machine',
      });
    }
    return { task: own.task, definition: own.definition, rowsById };
  });
}

function shortDigest(digest: string | null): string {
  return digest === null ? 'unknown' : digest.slice(0, 12);
}

/** One promise for all callers; a failure is forgotten, so that the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

export async function openSharedRun(
  store: SharedStore,
  entry: { readonly run: string; readonly runId: string },
  workspace: Workspace,
): Promise<SharedRun> {
  const found = await readSubmission(store.database, entry.run);
  if (found === null) throw new ToolError('not-found', `run ${entry.runId} was not submitted to workers`);
  const submission = parseSubmission(found.submission);
  const plan = await readPlan(store.database, { runId: entry.runId, number: entry.run });
  const { recipe } = submission;
  const tasks = once(() => prepareSharedTasks(plan, submission, workspace));
  let graders: readonly Grader[] = [];
  return {
    ...entry,
    plan,
    submission,
    placeOf: rowPlaces(plan),
    promptContext: promptContextFor(recipe),
    tasks,
    graders: once(async () => {
      const prepared = await tasks();
      const { panels } = await prepareJudges(prepared, recipe.run, workspace);
      graders = openGraders(prepared, { panels, sources: workspace.sources });
      return graders;
    }),
    userMetrics: once(async () => [...(await loadUserMetrics(recipe.metricFiles, process.cwd())), ...workspace.userMetrics]),
    findModel: async (model) => {
      const use = submission.models[model.key];
      if (use === undefined) throw new ToolError('integrity', `the submission does not say how to find model "${model.key}"`);
      const prepared = await prepareModels([use], recipe.run, workspace);
      const own = prepared.models[0]!;
      if (own.facts.digest !== model.facts.digest) {
        throw new ToolError(
          'integrity',
          `model "${model.key}" is another file here: digest ${shortDigest(own.facts.digest)} instead of ${shortDigest(model.facts.digest)}`,
          { hint: 'copy the submitted file, or name a source that pins its content' },
        );
      }
      return () => prepared.open(own);
    },
    close: async () => {
      for (const grader of graders) await grader.close();
    },
  };
}
