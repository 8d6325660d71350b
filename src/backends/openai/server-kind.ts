// Which server answers behind an OpenAI-compatible address, and what it tells about itself and its models.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { requestJson, requestText } from '../shared/request-json.ts';
import type { ServerConnection } from '../shared/server-connection.ts';

export type ServerKind = 'llama-server' | 'vllm' | 'sglang' | 'lm-studio' | 'ollama' | 'generic';

export interface ServedModel {
  readonly id: string;
  readonly contextTokens: number | null;
  readonly trainedContext: number | null;
  readonly parameters: number | null;
  readonly sizeBytes: number | null;
  readonly vocabularySize: number | null;
  readonly quantisation: string | null;
}

export interface ServerDescription {
  readonly kind: ServerKind;
  readonly version: string | null;
  readonly model: ServedModel;
  readonly contextTokens: number | null;
  /** Requests that the server works on at once; null if it does not tell. */
  readonly slots: number | null;
  readonly chatTemplate: string | null;
  /** Base name of the model's file. */
  readonly file: string | null;
}

const positive = z.number().positive().nullish().catch(null);
const modelSchema = z.object({
  id: z.string(),
  owned_by: z.string().nullish().catch(null),
  max_model_len: positive,
  meta: z
    .object({ n_ctx_train: positive, n_params: positive, size: positive, n_vocab: positive, ftype: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  aliases: z.array(z.string()).nullish().catch(null),
});
const modelsSchema = z.object({ data: z.array(modelSchema) });
type ListedModel = z.infer<typeof modelSchema>;

const propsSchema = z.object({
  default_generation_settings: z.object({ n_ctx: positive }).nullish().catch(null),
  total_slots: positive,
  model_path: z.string().nullish().catch(null),
  chat_template: z.string().nullish().catch(null),
  build_info: z.string().nullish().catch(null),
});

/**
 * Asks the server who it is.
 * @throws ToolError `not-found` where it serves no such model (with the nearest name), `access`, `transport`, `backend`
 */
export async function describeServer(connection: ServerConnection, wanted: string, signal?: AbortSignal): Promise<ServerDescription> {
  const { models, header } = await listModels(connection, signal);
  const listed = models === null ? null : chooseModel(models, wanted, connection.faults.shown);
  const kind = kindOf(listed?.owned_by ?? models?.[0]?.owned_by ?? null, header);
  const model = servedModel(listed, wanted);
  const plain = { kind, version: null, model, contextTokens: model.contextTokens, slots: null, chatTemplate: null, file: null };
  if (kind === 'llama-server') return { ...plain, ...(await readProps(connection)) };
  if (kind === 'vllm') return { ...plain, version: await readVersion(connection, '/version') };
  if (kind === 'ollama') return { ...plain, version: await readVersion(connection, '/api/version') };
  return plain;
}

async function listModels(connection: ServerConnection, signal: AbortSignal | undefined) {
  try {
    const { text, headers } = await requestText(connection, { method: 'GET', path: '/models', signal });
    const header = String(headers['server'] ?? '');
    const parsed = modelsSchema.safeParse(tryJson(text));
    if (parsed.success) return { models: parsed.data.data, header };
    if (/^\s*</u.test(text) || tryJson(text) === undefined) await requestJson(connection, { method: 'GET', path: '/models', signal });
    return { models: null, header };
  } catch (thrown) {
    // Some gateways have no list of models; everything else is a real fault.
    if (
      ToolError.isInstance(thrown) &&
      thrown.code === 'backend' &&
      /HTTP 40[45]/u.test(thrown.message) &&
      !thrown.message.includes('web page')
    ) {
      return { models: null, header: '' };
    }
    throw thrown;
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Exact id or alias, else the file name without folders and ending (llama-server's ids are paths). */
function chooseModel(models: readonly ListedModel[], wanted: string, shown: string): ListedModel {
  const short = (name: string) =>
    name
      .replace(/^.*[/\\]/u, '')
      .replace(/\.gguf$/iu, '')
      .toLowerCase();
  const exact = models.find((model) => model.id === wanted || model.aliases?.includes(wanted) === true);
  const similar = models.filter((model) => short(model.id) === short(wanted));
  const found = exact ?? (similar.length === 1 ? similar[0] : undefined);
  if (found !== undefined) return found;
  const names = models.map((model) => model.id);
  throw new ToolError('not-found', `${shown} serves no model "${wanted}"`, {
    hint:
      names.length === 0
        ? 'the server has no model loaded'
        : `${suggestName(wanted, names)}${names.length > 1 || suggestName(wanted, names).startsWith('known') ? '' : ` It serves: ${names.join(', ')}`}`,
  });
}

function kindOf(owner: string | null, header: string): ServerKind {
  if (owner === 'llamacpp' || /llama\.cpp/iu.test(header)) return 'llama-server';
  if (owner === 'vllm') return 'vllm';
  if (owner === 'sglang') return 'sglang';
  if (owner === 'library') return 'ollama';
  return owner === 'organization_owner' ? 'lm-studio' : 'generic';
}

function servedModel(listed: ListedModel | null, wanted: string): ServedModel {
  return {
    id: listed?.id ?? wanted,
    contextTokens: listed?.max_model_len ?? null,
    trainedContext: listed?.meta?.n_ctx_train ?? null,
    parameters: listed?.meta?.n_params ?? null,
    sizeBytes: listed?.meta?.size ?? null,
    vocabularySize: listed?.meta?.n_vocab ?? null,
    quantisation: listed?.meta?.ftype ?? null,
  };
}

async function readProps(connection: ServerConnection): Promise<Partial<ServerDescription>> {
  const value = await requestJson(connection, { method: 'GET', path: '/props', fromOrigin: true }).catch(() => null);
  const props = propsSchema.safeParse(value);
  if (!props.success) return {};
  const { data } = props;
  return {
    version: data.build_info ?? null,
    contextTokens: data.default_generation_settings?.n_ctx ?? null,
    slots: data.total_slots ?? null,
    chatTemplate: data.chat_template ?? null,
    file: data.model_path?.replace(/^.*[/\\]/u, '') ?? null,
  };
}

async function readVersion(connection: ServerConnection, path: string): Promise<string | null> {
  const value = await requestJson(connection, { method: 'GET', path, fromOrigin: true }).catch(() => null);
  return z.object({ version: z.string() }).safeParse(value).data?.version ?? null;
}
