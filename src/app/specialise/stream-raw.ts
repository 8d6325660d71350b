// Raw text to the model of a recipe, token by token: no template, no chat format, no task.

import { defaultGenerationSettings } from '../../core/generation.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { loadRecipe } from './load-recipe.ts';
import { openRecipeModel } from './open-recipe-model.ts';
import type { OpenTaskOptions } from './open-task.ts';

async function* partsOf(backend: Backend, prompt: string, generation: object): AsyncGenerator<string> {
  const parts: string[] = [];
  let wake = () => {};
  let settled = false;
  const abort = new AbortController();
  const settings = { ...defaultGenerationSettings, ...generation };
  const done = backend
    .generate(
      { prompt: { kind: 'text', text: prompt }, settings },
      {
        signal: abort.signal,
        onPart: (part) => {
          if (part.kind === 'text') parts.push(part.text);
          wake();
        },
      },
    )
    .finally(() => {
      settled = true;
      wake();
    });
  done.catch(() => {});
  try {
    for (;;) {
      while (parts.length > 0) yield parts.shift()!;
      if (settled) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (settled || parts.length > 0) resolve();
      });
    }
    await done;
  } finally {
    if (!settled) abort.abort();
  }
}

export async function* streamRaw(recipeFile: string, prompt: string, options: OpenTaskOptions = {}): AsyncGenerator<string> {
  const { recipe } = await loadRecipe(recipeFile, options.assignments);
  const { backend } = await openRecipeModel(recipe, recipeFile, options);
  try {
    yield* partsOf(backend, prompt, recipe.generation);
  } finally {
    await backend.close();
  }
}
