// The prompts of any task or data file, as an evaluation would send them.
import { runSettingsSchema } from '../../../config/run-recipe.ts';
import type { Prompt } from '../../../core/prompt.ts';
import { prepareTasks } from '../../prepare-tasks.ts';
import type { Workspace } from '../../workspace.ts';

export interface DatasetPromptsInput {
  readonly name: string;
  readonly samples: number;
  readonly seed: number;
  readonly chat: boolean;
  readonly workspace: Workspace;
  readonly onNote: (message: string) => void;
}

/** @throws ToolError `not-found`, `data` or `unavailable` as an evaluation of this task would */
export async function datasetPrompts(input: DatasetPromptsInput): Promise<readonly Prompt[]> {
  const settings = runSettingsSchema.parse({ samples: input.samples, seed: input.seed });
  const tasks = await prepareTasks({
    uses: [{ name: input.name }],
    settings,
    dataFile: { columns: [] },
    workspace: input.workspace,
    onNote: input.onNote,
  });
  return tasks.flatMap(({ task }) =>
    task.rows.flatMap((row): Prompt[] => {
      const { request } = task.prepare(row, { protocol: 'native', chat: input.chat, generation: {} });
      if (request.kind === 'rolling') return [{ kind: 'text', text: request.request.text }];
      return [request.request.prompt];
    }),
  );
}
