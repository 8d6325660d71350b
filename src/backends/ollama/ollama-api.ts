// The management part of Ollama's API: what is there, what is loaded, pulling, loading and unloading.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { createLineReader } from '../shared/line-reader.ts';
import { requestJson } from '../shared/request-json.ts';
import type { ServerConnection } from '../shared/server-connection.ts';
import { errorMessage, PassingFault } from '../shared/server-fault.ts';

const text = z.string().nullish().catch(null);
const size = z.number().nonnegative().nullish().catch(null);

const listedSchema = z.object({
  name: z.string(),
  model: text,
  size,
  digest: text,
  details: z.object({ format: text, family: text, parameter_size: text, quantization_level: text }).nullish().catch(null),
});
const loadedSchema = listedSchema.extend({ size_vram: size, context_length: size });

export type ListedOllamaModel = z.infer<typeof listedSchema>;
export type LoadedOllamaModel = z.infer<typeof loadedSchema>;

const shownSchema = z.object({
  template: text,
  parameters: text,
  license: text,
  details: z.object({ family: text, quantization_level: text }).nullish().catch(null),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
  capabilities: z.array(z.string()).nullish().catch(null),
});
export type ShownOllamaModel = z.infer<typeof shownSchema>;

/** One small request; a fault that may pass is thrown as its plain error, since these are asked by a person who waits. */
async function ask<T>(
  connection: ServerConnection,
  schema: z.ZodType<T>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<T> {
  try {
    const parsed = schema.safeParse(await requestJson(connection, { method, path, body }));
    if (parsed.success) return parsed.data;
    throw new ToolError('backend', `${connection.faults.shown}${path} did not answer as Ollama does: ${z.prettifyError(parsed.error)}`, {
      hint: 'is this the address of an Ollama server?',
    });
  } catch (thrown) {
    throw thrown instanceof PassingFault ? thrown.fault : thrown;
  }
}

export async function ollamaVersion(connection: ServerConnection): Promise<string> {
  return (await ask(connection, z.object({ version: z.string() }), 'GET', '/api/version')).version;
}

/** Models on this server's disk. */
export async function listOllamaModels(connection: ServerConnection): Promise<readonly ListedOllamaModel[]> {
  return (await ask(connection, z.object({ models: z.array(listedSchema).nullish() }), 'GET', '/api/tags')).models ?? [];
}

/** Models in memory, with the share that lies on the GPU (`size_vram` of `size`). */
export async function loadedOllamaModels(connection: ServerConnection): Promise<readonly LoadedOllamaModel[]> {
  return (await ask(connection, z.object({ models: z.array(loadedSchema).nullish() }), 'GET', '/api/ps')).models ?? [];
}

export async function showOllamaModel(connection: ServerConnection, name: string): Promise<ShownOllamaModel> {
  return ask(connection, shownSchema, 'POST', '/api/show', { model: name });
}

/** A tag without a version means `latest`; names are compared without regard to case. */
export function fullTag(tag: string): string {
  const lower = tag.toLowerCase();
  return /:[^/]*$/u.test(lower) ? lower : `${lower}:latest`;
}

/** The model that a tag names, or undefined. Never by part of the name: `phi3` is not `phi3:mini`. */
export function findOllamaModel<T extends ListedOllamaModel>(models: readonly T[], tag: string): T | undefined {
  return models.find((model) => fullTag(model.name) === fullTag(tag));
}

export interface PullProgress {
  /** As Ollama says it: `pulling manifest`, `pulling 8c17...`, `verifying sha256 digest`, `success`. */
  readonly status: string;
  readonly digest: string | null;
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
}

const pullLineSchema = z.object({ status: text, digest: text, completed: size, total: size, error: z.unknown().optional() });

/**
 * Has the server fetch a model.
 * @throws ToolError `not-found` where the library has no such tag, `unavailable` where the pull failed otherwise
 */
export async function pullOllamaModel(
  connection: ServerConnection,
  tag: string,
  onProgress: (progress: PullProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  let last = '';
  const lines = createLineReader((line) => {
    if (line.trim() === '') return;
    const { status, digest, completed, total, error } = pullLineSchema.parse(JSON.parse(line));
    if (error !== undefined && error !== null) throw pullFault(tag, errorMessage(error) ?? 'no message');
    last = status ?? '';
    onProgress({ status: last, digest: digest ?? null, doneBytes: completed ?? null, totalBytes: total ?? null });
  });
  const sink = {
    onBlock: (block: Buffer) => {
      lines.push(block);
      return 'content' as const;
    },
    onEnd: () => lines.end(),
  };
  try {
    await connection.exchange(
      { method: 'POST', path: '/api/pull', body: { model: tag, stream: true }, signal, timeouts: { totalMs: 0 } },
      sink,
    );
  } catch (thrown) {
    throw thrown instanceof PassingFault ? thrown.fault : thrown;
  }
  if (last !== 'success') throw pullFault(tag, `it ended with "${last}"`);
}

function pullFault(tag: string, said: string): ToolError {
  const isMissing = /not found|does not exist/iu.test(said);
  return new ToolError(isMissing ? 'not-found' : 'unavailable', `ollama could not pull ${tag}: ${said}`, {
    hint: isMissing ? 'look the tag up in the Ollama library' : 'check the network of the server, then try again',
  });
}
