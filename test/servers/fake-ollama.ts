// An Ollama server with scripted answers and a memory that can be watched: tags, show, ps, pull, load and unload.

import { pieces } from './fake-openai.ts';
import { type MockHandler, type MockReply, type MockRequest, type MockServer, openMockServer } from './mock-server.ts';

export interface FakeOllamaOptions {
  readonly models: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
  /** Cuts a long prompt in silence, as versions without `truncate` do. */
  readonly truncatesSilently?: boolean;
  /** Stays in memory whatever it is told. */
  readonly refusesToUnload?: boolean;
  readonly intercept?: ((request: MockRequest) => MockReply | undefined) | undefined;
}

export interface FakeOllama extends MockServer {
  readonly loaded: Set<string>;
}

interface Body {
  readonly model: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly prompt?: string;
  readonly keep_alive?: string | number;
  readonly stream?: boolean;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number; readonly stop?: readonly string[] };
}

export function ndjson(...lines: readonly object[]): MockReply {
  return {
    headers: { 'content-type': 'application/x-ndjson' },
    pieces: lines.map((line) => ({ bytes: `${JSON.stringify(line)}\n` })),
  };
}

export function ollamaJson(value: unknown, status = 200): MockReply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, pieces: [{ bytes: JSON.stringify(value) }] };
}

export async function openFakeOllama(options: FakeOllamaOptions): Promise<FakeOllama> {
  const loaded = new Set<string>();
  const server = await openMockServer(fakeOllama(options, loaded));
  return { ...server, loaded };
}

const details = { format: 'gguf', family: 'llama', parameter_size: '134.52M', quantization_level: 'Q4_1' };

function fakeOllama(options: FakeOllamaOptions, loaded: Set<string>): MockHandler {
  const entry = (name: string) => ({ name, model: name, size: 98_362_432, digest: 'b179c9523d0e', details });
  return (request) => {
    const special = options.intercept?.(request);
    if (special !== undefined) return special;
    const body = request.body === '' ? null : (JSON.parse(request.body) as Body);
    switch (request.path) {
      case '/api/version':
        return ollamaJson({ version: '0.17.4' });
      case '/api/tags':
        return ollamaJson({ models: options.models.map(entry) });
      case '/api/ps':
        return ollamaJson({ models: [...loaded].map((name) => ({ ...entry(name), size_vram: 0, context_length: 4096 })) });
      case '/api/show':
        return ollamaJson({
          template: '{{ .Messages }}',
          license: 'Apache License\nVersion 2.0',
          details,
          capabilities: ['completion'],
          model_info: {
            'general.architecture': 'llama',
            'general.parameter_count': 134_515_008,
            'llama.context_length': 8192,
            'llama.vocab_size': 49_152,
          },
        });
      case '/api/generate':
      case '/api/chat':
        return answerTo(body!, options, loaded);
      default:
        return ollamaJson({ error: 'not found' }, 404);
    }
  };
}

function answerTo(body: Body, options: FakeOllamaOptions, loaded: Set<string>): MockReply {
  if (!options.models.includes(body.model)) return ollamaJson({ error: `model '${body.model}' not found` }, 404);
  const asked = body.messages !== undefined || (body.prompt ?? '') !== '';
  if (!asked) {
    if (body.keep_alive === 0 && options.refusesToUnload !== true) loaded.delete(body.model);
    else loaded.add(body.model);
    return ollamaJson({
      model: body.model,
      response: '',
      done: true,
      done_reason: body.keep_alive === 0 ? 'unload' : 'load',
    });
  }
  loaded.add(body.model);
  const prompt = body.prompt ?? body.messages!.map((message) => message.content).join('\n\n');
  const context = body.options?.num_ctx ?? 2048;
  const promptTokens = pieces(prompt).length;
  if (promptTokens > context && options.truncatesSilently !== true) {
    return ollamaJson({ error: `the input length exceeds the context length` }, 400);
  }
  return answerLines(body, options, Math.min(promptTokens, context));
}

function answerLines(body: Body, { answers }: FakeOllamaOptions, promptTokens: number): MockReply {
  const isChat = body.messages !== undefined;
  const question = body.messages?.findLast((message) => message.role === 'user')?.content ?? body.prompt ?? '';
  const full = answers[question] ?? 'no answer';
  const places = (body.options?.stop ?? []).map((stop) => full.indexOf(stop)).filter((at) => at >= 0);
  const all = pieces(places.length === 0 ? full : full.slice(0, Math.min(...places)));
  const shown = all.slice(0, body.options?.num_predict ?? all.length);
  const line = (text: string) =>
    isChat ? { message: { role: 'assistant', content: text }, done: false } : { response: text, done: false };
  const totals = {
    done: true,
    done_reason: shown.length < all.length ? 'length' : 'stop',
    total_duration: 40_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: 9_000_000,
    eval_count: shown.length,
    eval_duration: 30_000_000,
  };
  const last = isChat ? { message: { role: 'assistant', content: '' }, ...totals } : { response: '', ...totals };
  return ndjson(...shown.map(line), last);
}
