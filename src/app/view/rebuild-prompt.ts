// The whole prompt of a sample, made again from task and dataset. It is shown only when the task's digest proves it the same.
import { runRecipeSchema } from '../../config/run-recipe.ts';
import type { Row } from '../../core/dataset.ts';
import { messageOf } from '../../core/errors.ts';
import type { Prompt } from '../../core/prompt.ts';
import type { ModelRequest, PreparedSample } from '../../core/task.ts';
import { groupOf, idOf } from '../../report/viewer/sample-columns.ts';
import type { PromptView } from '../../report/viewer/viewer-contract.ts';
import { promptContextFor } from '../evaluate-request.ts';
import { type PreparedTask, prepareTasks } from '../prepare-tasks.ts';
import type { Workspace } from '../workspace.ts';
import type { RunHandle } from './run-handles.ts';

const kept = new WeakMap<RunHandle, Map<string, Promise<PreparedTask | string>>>();

async function prepare(handle: RunHandle, key: string, workspace: Workspace): Promise<PreparedTask | string> {
  const { plan } = handle;
  const planned = plan.tasks.find((task) => task.key === key)!;
  const recipe = recipeOf(handle);
  const prepared = await prepareTasks({
    uses: [{ name: planned.key, shots: planned.fewShotIds.length }],
    settings: recipe.run,
    dataFile: { columns: [] },
    workspace: { ...workspace, offline: true, sources: { ...workspace.sources, offline: true } },
    onNote: () => {},
  });
  const same = prepared.find(({ task }) => task.digest === planned.digest);
  return same ?? 'the task or its data is not the one of this run any more';
}

function recipeOf({ plan }: RunHandle) {
  return runRecipeSchema.parse({
    run: { seed: plan.seed, protocol: plan.protocol, ...(plan.system === null ? {} : { system: plan.system }) },
  });
}

/** The plan does not say whether `--chat` was given: the form whose question is the journal's own is the one that was sent. */
function prepareAs(prepared: PreparedTask, row: Row, handle: RunHandle, modelKey: string, instruction: string): PreparedSample | null {
  const model = handle.plan.models.find((one) => one.key === modelKey)!;
  const recipe = recipeOf(handle);
  for (const chat of [undefined, true, false]) {
    const context = promptContextFor({ ...recipe, run: { ...recipe.run, chat } })(model, prepared.task);
    const sample = prepared.task.prepare(row, context);
    if (sample.facts.instruction === instruction) return sample;
  }
  return null;
}

function promptOf(request: ModelRequest): Prompt {
  if (request.kind === 'rolling') return { kind: 'text', text: request.request.text };
  return request.kind === 'score' ? (request.request.choices[0]?.prompt ?? request.request.prompt) : request.request.prompt;
}

export async function rebuildPrompt(handle: RunHandle, slot: number, workspace: Workspace): Promise<PromptView> {
  const { columns } = handle.index;
  if (!(slot >= 0 && slot < columns.total)) return { kind: 'unavailable', reason: 'no such sample' };
  const group = groupOf(columns, slot);
  const tasks = kept.get(handle) ?? new Map<string, Promise<PreparedTask | string>>();
  kept.set(handle, tasks);
  let preparing = tasks.get(group.task);
  if (preparing === undefined) tasks.set(group.task, (preparing = prepare(handle, group.task, workspace).catch(messageOf)));
  const prepared = await preparing;
  if (typeof prepared === 'string') return { kind: 'unavailable', reason: prepared };
  const row = prepared.task.rows.find((one) => one.id === idOf(group, slot));
  const [journalled] = await handle.index.rowsAt([slot]);
  if (row === undefined || journalled === undefined) return { kind: 'unavailable', reason: 'the dataset has no such row' };
  const sample = prepareAs(prepared, row, handle, group.model, journalled.row.instruction);
  if (sample === null) return { kind: 'unavailable', reason: 'the prompt made now differs from the one in the journal' };
  const prompt = promptOf(sample.request);
  if (prompt.kind === 'text') return { kind: 'prompt', parts: [{ role: 'text', text: prompt.text }], note: 'sent as plain text' };
  return {
    kind: 'prompt',
    parts: prompt.messages.map(({ role, content }) => ({ role, text: content })),
    note: "before the model's chat template",
  };
}
