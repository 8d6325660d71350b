// Proof before training that serving sees the very prompts that are learned: text by byte, tokens by id.
import { openBackend } from '../../backends/registry.ts';
import { ToolError } from '../../core/errors.ts';
import { bindRecipeTask } from './recipe-task.ts';
import type { SpecialiseSession } from './session.ts';
import type { ServedExample } from './training-examples.ts';

/** Prompts that are compared; all come from one template. */
const compared = 16;

export type CheckedExample = ServedExample & { readonly servedTokens?: number[] | undefined };

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/**
 * Renders the first prompts with the serving engine and hands their token ids to the trainer, which compares them with its own.
 * @throws ToolError `template` where training and serving would see different prompts
 */
export async function checkServedPrompts(session: SpecialiseSession, examples: readonly ServedExample[]): Promise<CheckedExample[]> {
  const { model, recipe, data, definition, context } = session;
  // The engine's `render` uses the model's default for reasoning.
  if (model.backendKind !== 'llama' || (context.generation.thinking ?? 'auto') !== 'auto') return [...examples];
  const task = bindRecipeTask(definition, data.splits.train, recipe.test.seed);
  const backend = await openBackend(model, { threads: recipe.test.threads ?? 1, contextTokens: 512 });
  try {
    const checked: CheckedExample[] = [];
    for (const [index, example] of examples.entries()) {
      const row = data.splits.train[index];
      if (index >= compared || row === undefined) {
        checked.push(example);
        continue;
      }
      const { request } = task.prepare(row, context);
      if (request.kind === 'rolling') return [...examples];
      const { text, tokens } = await backend.render(request.request.prompt);
      if (text !== example.prompt) {
        const at = firstDifference(text, example.prompt);
        throw new ToolError('template', `training and serving prompts differ at character ${at} of row ${row.id}`, {
          hint: `served ${JSON.stringify(text.slice(at, at + 40))}, trained ${JSON.stringify(example.prompt.slice(at, at + 40))}`,
        });
      }
      checked.push(tokens === undefined ? example : { ...example, servedTokens: [...tokens] });
    }
    return checked;
  } finally {
    await backend.close();
  }
}
