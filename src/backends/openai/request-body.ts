// A generation request in the words of the OpenAI API, with the extensions that the server at hand understands.
import { ToolError } from '../../core/errors.ts';
import type { BackendWarning, GenerateRequest } from '../../core/generation.ts';
import type { Prompt } from '../../core/prompt.ts';
import type { ServerTuning } from '../shared/server-tuning.ts';
import type { ServerDescription } from './server-kind.ts';

export interface ServerRequest {
  readonly path: '/chat/completions' | '/completions';
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: readonly BackendWarning[];
}

export interface RequestContext {
  readonly server: ServerDescription;
  readonly tuning: ServerTuning;
  readonly deterministic: boolean;
}

/** @throws ToolError `unsupported` for a grammar where the server has none */
export function buildRequest(request: GenerateRequest, context: RequestContext): ServerRequest {
  const { server, tuning } = context;
  const warnings: BackendWarning[] = [];
  const body = {
    model: server.model.id,
    ...promptFields(request.prompt, server, warnings),
    ...samplingFields(request.settings, server),
    ...thinkingFields(request, server, warnings),
    ...constraintFields(request, server),
    ...lengthFields(request, server, warnings),
    ...logprobFields(request),
    ...(server.kind === 'llama-server' ? { cache_prompt: tuning.promptCache ?? !context.deterministic } : {}),
    stream: true,
    stream_options: { include_usage: true, ...(server.kind === 'vllm' ? { continuous_usage_stats: true } : {}) },
    ...tuning.extraBody,
  };
  return { path: request.prompt.kind === 'chat' ? '/chat/completions' : '/completions', body, warnings };
}

function promptFields(prompt: Prompt, server: ServerDescription, warnings: BackendWarning[]): Readonly<Record<string, unknown>> {
  if (prompt.kind === 'text') return { prompt: prompt.text };
  if (prompt.prefill === undefined || prompt.prefill === '') return { messages: prompt.messages };
  const messages = [...prompt.messages, { role: 'assistant', content: prompt.prefill }];
  if (server.kind === 'vllm') return { messages, continue_final_message: true, add_generation_prompt: false };
  if (server.kind !== 'llama-server') {
    warnings.push({ kind: 'compatibility', message: 'the opened answer was sent as an assistant turn; this server may not continue it' });
  }
  return { messages };
}

function samplingFields(settings: GenerateRequest['settings'], { kind }: ServerDescription): Readonly<Record<string, unknown>> {
  const repeatName = kind === 'vllm' || kind === 'sglang' ? 'repetition_penalty' : 'repeat_penalty';
  return defined({
    max_tokens: settings.maxTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    min_p: settings.minP,
    [repeatName]: settings.repeatPenalty,
    stop: settings.stop.length === 0 ? undefined : settings.stop,
    seed: settings.seed,
  });
}

function thinkingFields(
  { settings, prompt }: GenerateRequest,
  { kind }: ServerDescription,
  warnings: BackendWarning[],
): Readonly<Record<string, unknown>> {
  if (settings.thinking === 'auto' || prompt.kind === 'text') return {};
  if (kind === 'llama-server' || kind === 'vllm' || kind === 'sglang') {
    return { chat_template_kwargs: { enable_thinking: settings.thinking === 'on' } };
  }
  warnings.push({
    kind: 'unsupported-setting',
    setting: 'thinking',
    message: 'this server has no common switch for thinking; its default is used',
  });
  return {};
}

function lengthFields(
  { ignoreEndOfText }: GenerateRequest,
  { kind }: ServerDescription,
  warnings: BackendWarning[],
): Readonly<Record<string, unknown>> {
  if (ignoreEndOfText !== true) return {};
  if (kind === 'llama-server' || kind === 'vllm' || kind === 'sglang') return { ignore_eos: true };
  warnings.push({
    kind: 'unsupported-setting',
    setting: 'ignoreEndOfText',
    message: 'this server ends an answer where the model does; it may be shorter than asked for',
  });
  return {};
}

function constraintFields({ grammar, jsonSchema }: GenerateRequest, { kind }: ServerDescription): Readonly<Record<string, unknown>> {
  if (grammar !== undefined && kind !== 'llama-server') {
    throw new ToolError('unsupported', 'this server takes no GBNF grammar', { hint: 'give a JSON Schema, or use the embedded engine' });
  }
  return {
    ...(grammar === undefined ? {} : { grammar }),
    ...(jsonSchema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: jsonSchema } } }),
  };
}

function logprobFields({ topLogprobs, prompt }: GenerateRequest): Readonly<Record<string, unknown>> {
  if (topLogprobs === undefined) return {};
  return prompt.kind === 'chat' ? { logprobs: true, top_logprobs: topLogprobs } : { logprobs: topLogprobs };
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
