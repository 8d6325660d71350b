// One generation at Ollama: `/api/chat` for messages, `/api/generate` in raw mode for plain text, JSON lines in, everything stamped.
import { ToolError } from '../../core/errors.ts';
import type { BackendWarning, FinishReason, GenerateRequest, Generation } from '../../core/generation.ts';
import type { GenerateOptions } from '../../core/ports/backend.ts';
import { joinAsText } from '../../templating/chat-fallbacks.ts';
import { askPatiently, type Patience } from '../shared/ask-patiently.ts';
import { createLineReader } from '../shared/line-reader.ts';
import type { LoadLimiter } from '../shared/load-limiter.ts';
import type { ReplySink, ServerConnection, Timeouts } from '../shared/server-connection.ts';
import { errorMessage, isOverflow, serverText } from '../shared/server-fault.ts';
import { createStreamRecorder, type StreamRecorder } from '../shared/stream-recorder.ts';
import { checkPrefill } from './check-prefill.ts';
import { isTruncated, leastTokens } from './prompt-truncation.ts';
import { finishReasonOf, type OllamaLine, readLine } from './read-line.ts';

export interface OllamaContext {
  readonly connection: ServerConnection;
  readonly tag: string;
  /** Sent as `num_ctx` with every request: Ollama's own default is small, whatever the model can. */
  readonly contextTokens: number;
  readonly threads: number | undefined;
  readonly gpuLayers: number | undefined;
  readonly keepAlive: string | number;
  /** From `/api/show`; null where it does not tell. */
  readonly canThink: boolean | null;
  readonly limiter: LoadLimiter | null;
  readonly patience: Patience;
  readonly timeouts: Partial<Timeouts>;
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly traffic: Traffic;
}

interface OllamaRequest {
  readonly path: '/api/chat' | '/api/generate';
  readonly body: Readonly<Record<string, unknown>>;
  readonly promptText: string;
  readonly warnings: readonly BackendWarning[];
}

export async function generateAt(context: OllamaContext, request: GenerateRequest, options: GenerateOptions): Promise<Generation> {
  const calledAtMs = performance.now();
  if (options.signal?.aborted === true) throw new ToolError('interrupted', 'the request was cancelled');
  const prepared = buildRequest(request, context);
  const least = leastTokens(prepared.promptText);
  if (least > context.contextTokens) {
    throw new ToolError('context-overflow', `the prompt has at least ${least} tokens, the context holds ${context.contextTokens}`, {
      hint: 'raise --context, or use fewer shots',
    });
  }
  const attempt = () => alone(context.traffic, (isAlone) => send(context, prepared, request, { ...options, calledAtMs, isAlone }));
  return askPatiently(attempt, context.patience, context.limiter, options.signal);
}

/** Requests in flight and begun so far. */
export interface Traffic {
  inFlight: number;
  begun: number;
}

/** Runs `work`, which can ask whether any other request was in flight since it began. */
async function alone<T>(traffic: Traffic, work: (isAlone: () => boolean) => Promise<T>): Promise<T> {
  const isFirst = traffic.inFlight++ === 0;
  const mine = ++traffic.begun;
  try {
    return await work(() => isFirst && traffic.begun === mine);
  } finally {
    traffic.inFlight--;
  }
}

interface SendOptions extends GenerateOptions {
  readonly calledAtMs: number;
  readonly isAlone: () => boolean;
}

async function send(
  context: OllamaContext,
  prepared: OllamaRequest,
  { settings }: GenerateRequest,
  options: SendOptions,
): Promise<Generation> {
  const { calledAtMs, isAlone, onPart, signal } = options;
  let sentAtMs = calledAtMs;
  const recorder = createStreamRecorder({ stops: settings.stop, onPart, sentAtMs: () => sentAtMs });
  for (const warning of prepared.warnings) recorder.warn(warning);
  const reply = new LinesReader(recorder, context, prepared.promptText, settings.maxTokens);
  const exchange = { method: 'POST', path: prepared.path, body: prepared.body, signal, timeouts: context.timeouts } as const;
  const facts = await context.connection.exchange(exchange, reply, (atMs) => {
    sentAtMs = atMs;
  });
  return recorder.finish({
    ...facts,
    finishReason: reply.finishReason ?? 'unknown',
    calledAtMs,
    httpStatus: facts.status,
    isStreamed: true,
    revise: (generation) => checkPrefill(generation, isAlone()),
  });
}

/** @throws ToolError `unsupported` for a grammar */
export function buildRequest(request: GenerateRequest, context: OllamaContext): OllamaRequest {
  const { prompt, settings, jsonSchema, topLogprobs } = request;
  if (request.grammar !== undefined) {
    throw new ToolError('unsupported', 'Ollama takes no GBNF grammar', { hint: 'give a JSON Schema, or use the embedded engine' });
  }
  const warnings: BackendWarning[] = [];
  const common = {
    model: context.tag,
    stream: true,
    keep_alive: context.keepAlive,
    // Versions that know these refuse a prompt that is too long; older ones cut it, which the count shows.
    truncate: false,
    shift: false,
    options: runOptions(settings, context),
    ...(jsonSchema === undefined ? {} : { format: jsonSchema }),
    ...(topLogprobs === undefined ? {} : { logprobs: true, top_logprobs: topLogprobs }),
    ...thinkField(settings.thinking, context, warnings),
    ...context.extraBody,
  };
  if (prompt.kind === 'text') {
    return { path: '/api/generate', body: { ...common, prompt: prompt.text, raw: true }, promptText: prompt.text, warnings };
  }
  // Ollama goes on with an assistant turn at the end.
  const messages = prompt.prefill ? [...prompt.messages, { role: 'assistant', content: prompt.prefill } as const] : prompt.messages;
  return { path: '/api/chat', body: { ...common, messages }, promptText: joinAsText(messages), warnings };
}

function runOptions(settings: GenerateRequest['settings'], context: OllamaContext): Readonly<Record<string, unknown>> {
  const fields = {
    num_ctx: context.contextTokens,
    num_predict: settings.maxTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    min_p: settings.minP,
    // A model file may set a penalty; an evaluation must not inherit it unseen.
    repeat_penalty: settings.repeatPenalty ?? 1,
    stop: settings.stop.length === 0 ? undefined : settings.stop,
    seed: settings.seed,
    num_thread: context.threads,
    num_gpu: context.gpuLayers,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function thinkField(thinking: GenerateRequest['settings']['thinking'], { canThink, tag }: OllamaContext, warnings: BackendWarning[]) {
  if (thinking === 'auto') return {};
  if (canThink === false) {
    if (thinking === 'on') warnings.push({ kind: 'unsupported-setting', setting: 'thinking', message: `${tag} cannot think` });
    return {};
  }
  return { think: thinking === 'on' };
}

class LinesReader implements ReplySink {
  finishReason: FinishReason | null = null;
  readonly #recorder: StreamRecorder;
  readonly #context: OllamaContext;
  readonly #promptText: string;
  readonly #maxTokens: number;
  readonly #lines: ReturnType<typeof createLineReader>;
  #start: Buffer | null = null;
  #atMs = 0;
  #hadContent = false;
  #isEnding = false;

  constructor(recorder: StreamRecorder, context: OllamaContext, promptText: string, maxTokens: number) {
    this.#recorder = recorder;
    this.#context = context;
    this.#promptText = promptText;
    this.#maxTokens = maxTokens;
    this.#lines = createLineReader((line) => this.#onLine(line));
  }

  onBlock(block: Buffer, atMs: number): ReturnType<ReplySink['onBlock']> {
    this.#start ??= block;
    this.#atMs = atMs;
    this.#hadContent = false;
    this.#lines.push(block);
    if (this.finishReason !== null) return 'done';
    if (this.#recorder.stopped()) return 'stop';
    return this.#hadContent ? 'content' : 'more';
  }

  onEnd(): void {
    this.#isEnding = true;
    this.#lines.end();
    if (this.finishReason !== null) return;
    const { shown } = this.#context.connection.faults;
    throw new ToolError('transport', `${shown} ended the answer early, after ${this.#recorder.contentChunks()} chunks`, {
      isRetryable: true,
      hint: 'the answer is incomplete: did Ollama or its runner stop?',
      cause: { partialText: this.#recorder.partialText() },
    });
  }

  #onLine(line: string): void {
    if (line.trim() === '' || this.finishReason !== null) return;
    let value: OllamaLine;
    try {
      value = JSON.parse(line) as OllamaLine;
    } catch {
      // The last line of a cut stream: reported as an early end.
      if (this.#isEnding && this.#recorder.contentChunks() > 0) return;
      throw this.#fault((this.#start ?? Buffer.alloc(0)).subarray(0, 2000).toString('utf8'), ' where a JSON line was expected');
    }
    if (value.error !== undefined && value.error !== null) throw this.#fault(errorMessage(value.error) ?? 'an error without a message');
    if (readLine(value, this.#recorder, this.#atMs)) this.#hadContent = true;
    if (value.done === true) this.#finish(value);
    else if (this.#recorder.contentChunks() > 4 * this.#maxTokens + 256) {
      throw this.#fault(`more than ${4 * this.#maxTokens + 256} chunks for num_predict ${this.#maxTokens}: it ignores the limit`);
    }
  }

  #finish(value: OllamaLine): void {
    const promptTokens = typeof value.prompt_eval_count === 'number' ? value.prompt_eval_count : null;
    const { contextTokens } = this.#context;
    if (isTruncated({ prompt: this.#promptText, promptTokens, contextTokens })) {
      const message = `Ollama cut the prompt: it has at least ${leastTokens(this.#promptText)} tokens, ${promptTokens} were read (prompt_truncated)`;
      throw new ToolError('context-overflow', message, { hint: `raise --context above ${contextTokens}, or use fewer shots` });
    }
    this.finishReason = finishReasonOf(value.done_reason);
  }

  #fault(said: string, remark = ''): ToolError {
    const { shown, redact } = this.#context.connection.faults;
    const code = isOverflow(said) ? 'context-overflow' : 'backend';
    return new ToolError(code, `${shown} sent ${serverText(said, redact)}${remark}`, {
      cause: { partialText: this.#recorder.partialText() },
    });
  }
}
