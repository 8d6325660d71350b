// Has an Ollama server fetch a model, with the progress that every download shows.
import { ToolError } from '../../core/errors.ts';
import type { SourceContext } from '../../sources/source-context.ts';
import type { ResolvedModel } from '../resolve-model.ts';
import { requireAvailable } from './check-available.ts';
import { pullOllamaModel } from './ollama-api.ts';
import { connectOllama } from './ollama-connection.ts';

export interface PulledModel {
  readonly digest: string | null;
  readonly servedBy: string;
}

/** @throws ToolError `transport` (no server), `not-found` (no such tag), `unavailable` (offline, or the pull failed) */
export async function pullWithOllama(model: Pick<ResolvedModel, 'url' | 'serverModel'>, context: SourceContext): Promise<PulledModel> {
  const tag = model.serverModel ?? '';
  if (context.offline) throw new ToolError('unavailable', `offline: ollama:${tag} was not pulled`);
  const connection = connectOllama(model.url);
  const startMs = performance.now();
  try {
    const onProgress = ({
      status,
      doneBytes,
      totalBytes,
    }: {
      status: string;
      doneBytes: number | null;
      totalBytes: number | null;
    }): void => {
      if (doneBytes === null) return;
      const seconds = (performance.now() - startMs) / 1000;
      const bytesPerSecond = seconds > 0.5 ? doneBytes / seconds : null;
      context.onProgress?.({ name: `${tag} (${status})`, doneBytes, totalBytes, bytesPerSecond, source: `ollama:${tag}` });
    };
    await pullOllamaModel(connection, tag, onProgress, context.signal);
    const { digest } = await requireAvailable(connection, tag);
    return { digest: digest ?? null, servedBy: connection.faults.shown };
  } finally {
    await connection.close();
  }
}
