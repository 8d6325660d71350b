// Is a model there to be measured? Answers as data, with the exact line that gets it.
import { ToolError } from '../../core/errors.ts';
import { nearestName } from '../../core/names.ts';
import type { ServerConnection } from '../shared/server-connection.ts';
import { findOllamaModel, type ListedOllamaModel, listOllamaModels } from './ollama-api.ts';

export type Availability =
  | { readonly kind: 'available'; readonly model: ListedOllamaModel }
  | { readonly kind: 'missing'; readonly installed: readonly string[]; readonly pullCommand: string; readonly nearest: string | null }
  | { readonly kind: 'no-server'; readonly error: ToolError };

/** Never throws for a server that is not there: that is an answer. */
export async function checkAvailable(connection: ServerConnection, tag: string): Promise<Availability> {
  let models: readonly ListedOllamaModel[];
  try {
    models = await listOllamaModels(connection);
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return { kind: 'no-server', error: thrown };
    throw thrown;
  }
  const model = findOllamaModel(models, tag);
  if (model !== undefined) return { kind: 'available', model };
  const installed = models.map(({ name }) => name);
  return { kind: 'missing', installed, pullCommand: `ollama pull ${tag}`, nearest: nearestName(tag, installed) ?? null };
}

/** The listed model. @throws ToolError `not-found` with the pull line and the nearest name, or the server's own error */
export async function requireAvailable(connection: ServerConnection, tag: string): Promise<ListedOllamaModel> {
  const answer = await checkAvailable(connection, tag);
  if (answer.kind === 'available') return answer.model;
  if (answer.kind === 'no-server') throw answer.error;
  const { installed, pullCommand, nearest } = answer;
  const others = installed.length === 0 ? 'Ollama has no models yet' : `Ollama has: ${installed.join(', ')}`;
  throw new ToolError('not-found', `Ollama has no model "${tag}"`, {
    hint: `get it with: ${pullCommand}${nearest === null ? '' : `, or did you mean "${nearest}"?`} (${others})`,
  });
}
