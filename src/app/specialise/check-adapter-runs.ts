// Will the engine of the recipe be able to run the adapter? Found out before an hour of training, not after it.
import { ToolError } from '../../core/errors.ts';
import { loraObstacle } from '../../formats/lora-gguf.ts';
import type { SpecialiseSession } from './session.ts';

/** @throws ToolError `unsupported`: an adapter of these settings has no form that llama.cpp loads */
export function checkAdapterRuns({ recipe, model }: Pick<SpecialiseSession, 'recipe' | 'model'>): void {
  if (recipe.training === false || model.backendKind !== 'llama') return;
  const obstacle = loraObstacle(recipe.training.lora, model.facts.architecture);
  if (obstacle === null) return;
  throw new ToolError('unsupported', `llama.cpp, which answers for ${model.reference}, cannot run ${obstacle}`, {
    hint: 'train plain LoRA, or let the trained weights answer themselves: model.base: transformers:DIRECTORY; slmbench train alone still works',
  });
}
