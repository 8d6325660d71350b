// Which models Ollama holds in memory: one measured model at a time, loaded before it is timed and verified gone afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../core/errors.ts';
import { requestJson } from '../shared/request-json.ts';
import type { ServerConnection } from '../shared/server-connection.ts';
import { PassingFault } from '../shared/server-fault.ts';
import { findOllamaModel, type LoadedOllamaModel, loadedOllamaModels } from './ollama-api.ts';

const goneWithinMs = 15_000;
const pollMs = 100;

/** Asks for the model to leave memory and waits until `/api/ps` no longer lists it. @throws ToolError `backend` if it stays */
export async function unloadModel(connection: ServerConnection, tag: string): Promise<void> {
  const body = { model: tag, keep_alive: 0 };
  // Ollama answers an unload with a single done line.
  await requestJson(connection, { method: 'POST', path: '/api/generate', body: { ...body, stream: false } }).catch((thrown) => {
    throw thrown instanceof PassingFault ? thrown.fault : thrown;
  });
  for (let waitedMs = 0; findOllamaModel(await loadedOllamaModels(connection), tag) !== undefined; waitedMs += pollMs) {
    if (waitedMs >= goneWithinMs) {
      throw new ToolError('backend', `Ollama still holds ${tag} in memory ${goneWithinMs / 1000} s after it was told to unload it`, {
        hint: 'is another program using it? See: ollama ps',
      });
    }
    await sleep(pollMs);
  }
}

/** Unloads every other model, so that memory and speed are the measured model's own. Returns what was unloaded. */
export async function unloadOthers(connection: ServerConnection, tag: string): Promise<readonly string[]> {
  const loaded = await loadedOllamaModels(connection);
  const own = findOllamaModel(loaded, tag);
  const others = loaded.filter((model) => model !== own).map((model) => model.name);
  for (const other of others) await unloadModel(connection, other);
  return others;
}

/** Share of the model's memory on the GPU, 0 to 1; null where Ollama does not tell. A share between means slow layers on the CPU. */
export function gpuFraction(model: Pick<LoadedOllamaModel, 'size' | 'size_vram'>): number | null {
  if (!model.size || model.size_vram === null || model.size_vram === undefined) return null;
  return Math.min(1, model.size_vram / model.size);
}
