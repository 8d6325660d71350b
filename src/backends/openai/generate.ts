// One generation at an OpenAI-compatible server: request out, stream in, everything stamped, every fault named.
import { ToolError } from '../../core/errors.ts';
import type { GenerateRequest, Generation } from '../../core/generation.ts';
import type { GenerateOptions } from '../../core/ports/backend.ts';
import { askPatiently, type Patience } from '../shared/ask-patiently.ts';
import { createEventStream } from '../shared/event-stream.ts';
import type { LoadLimiter } from '../shared/load-limiter.ts';
import type { ReplySink, ServerConnection, Timeouts } from '../shared/server-connection.ts';
import { isOverflow, serverText } from '../shared/server-fault.ts';
import { createStreamRecorder, type StreamRecorder } from '../shared/stream-recorder.ts';
import { readChunk, type StreamState } from './read-chunk.ts';
import { buildRequest, type RequestContext, type ServerRequest } from './request-body.ts';

export interface GenerateContext extends RequestContext {
  readonly connection: ServerConnection;
  readonly limiter: LoadLimiter | null;
  readonly patience: Patience;
  readonly timeouts: Partial<Timeouts>;
  /** Fields that this server refused once; they are not sent again. */
  readonly refusedFields: Set<string>;
}

/** Fields that some servers refuse although they only ask for more facts. */
const optionalFields = ['stream_options'] as const;

export async function generateAt(context: GenerateContext, request: GenerateRequest, options: GenerateOptions): Promise<Generation> {
  const calledAtMs = performance.now();
  if (options.signal?.aborted === true) throw new ToolError('interrupted', 'the request was cancelled');
  const prepared = buildRequest(request, context);
  try {
    return await send(context, prepared, request, options, calledAtMs);
  } catch (thrown) {
    const refused = refusedField(thrown, context.refusedFields);
    if (refused === null) throw thrown;
    context.refusedFields.add(refused);
    return await send(context, prepared, request, options, calledAtMs);
  }
}

function refusedField(thrown: unknown, known: ReadonlySet<string>): string | null {
  if (!ToolError.isInstance(thrown) || !/HTTP 4(?:00|22)/u.test(thrown.message)) return null;
  return optionalFields.find((field) => thrown.message.includes(field) && !known.has(field)) ?? null;
}

function send(
  context: GenerateContext,
  prepared: ServerRequest,
  request: GenerateRequest,
  options: GenerateOptions,
  calledAtMs: number,
): Promise<Generation> {
  const body = Object.fromEntries(Object.entries(prepared.body).filter(([name]) => !context.refusedFields.has(name)));
  const attempt = async (): Promise<Generation> => {
    let sentAtMs = calledAtMs;
    const recorder = createStreamRecorder({ stops: request.settings.stop, onPart: options.onPart, sentAtMs: () => sentAtMs });
    for (const warning of prepared.warnings) recorder.warn(warning);
    const reply = new ReplyReader({ recorder, context, maxTokens: request.settings.maxTokens });
    const exchange = { method: 'POST', path: prepared.path, body, signal: options.signal, timeouts: context.timeouts } as const;
    const facts = await context.connection.exchange(exchange, reply, (atMs) => {
      sentAtMs = atMs;
    });
    const { finishReason } = reply.state;
    return recorder.finish({
      ...facts,
      finishReason: finishReason ?? 'unknown',
      calledAtMs,
      httpStatus: facts.status,
      isStreamed: reply.isStreamed,
    });
  };
  return askPatiently(attempt, context.patience, context.limiter, options.signal);
}

interface ReplyInput {
  readonly recorder: StreamRecorder;
  readonly context: GenerateContext;
  readonly maxTokens: number;
}

/** Reads an event stream, or a whole JSON reply of a server that does not stream. */
class ReplyReader implements ReplySink {
  readonly state: StreamState = { finishReason: null, error: null };
  isStreamed = true;
  readonly #input: ReplyInput;
  readonly #events: ReturnType<typeof createEventStream>;
  readonly #whole: Buffer[] = [];
  /** How the reply began, for the message where it is no event stream. */
  #start: Buffer | null = null;
  #atMs = 0;
  #eventCount = 0;
  #hadContent = false;
  #isDone = false;
  #isEnding = false;

  constructor(input: ReplyInput) {
    this.#input = input;
    this.#events = createEventStream({
      onEvent: (data, event) => this.#onEvent(data, event),
      onComment: () => input.recorder.other('comment'),
    });
  }

  onStart(headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.isStreamed = !/^(?:application\/(?:[\w.+-]*\+)?json|text\/html)/iu.test(String(headers['content-type'] ?? ''));
  }

  onBlock(block: Buffer, atMs: number): ReturnType<ReplySink['onBlock']> {
    this.#start ??= block;
    this.#atMs = atMs;
    if (!this.isStreamed) {
      this.#whole.push(block);
      return 'content';
    }
    this.#hadContent = false;
    this.#events.push(block);
    if (this.#isDone) return 'done';
    if (this.#input.recorder.stopped()) return 'stop';
    return this.#hadContent ? 'content' : 'more';
  }

  onEnd(): void {
    const { recorder, context } = this.#input;
    this.#isEnding = true;
    if (!this.isStreamed) {
      this.#readWhole();
      return;
    }
    this.#events.end();
    if (this.#isDone) return;
    if (this.#eventCount === 0) throw this.#notAStream();
    if (this.state.finishReason === null) {
      throw new ToolError(
        'transport',
        `${context.connection.faults.shown} ended the stream early, after ${recorder.contentChunks()} chunks`,
        {
          isRetryable: true,
          hint: 'the answer is incomplete: did the server stop?',
          cause: { partialText: recorder.partialText() },
        },
      );
    }
    recorder.warn({ kind: 'compatibility', message: 'the stream ended without [DONE]' });
  }

  #onEvent(data: string, event: string): void {
    if (this.#isDone) return;
    this.#eventCount++;
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    if (data === '') return;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      if (this.#isEnding) return;
      throw this.#fault(event === 'error' ? data : `an event that is not JSON: ${data}`);
    }
    const { recorder, maxTokens } = this.#input;
    if (event === 'error' && (value as { error?: unknown } | null)?.error === undefined) value = { error: value };
    if (readChunk(value, recorder, this.state, this.#atMs)) this.#hadContent = true;
    if (this.state.error !== null) throw this.#fault(this.state.error);
    // A chunk holds a token or more; some slack for servers that split one token into several chunks.
    if (recorder.contentChunks() > 4 * maxTokens + 256) {
      throw this.#fault(`more than ${4 * maxTokens + 256} chunks for max_tokens ${maxTokens}: it ignores the limit`);
    }
  }

  #readWhole(): void {
    const text = Buffer.concat(this.#whole).toString('utf8');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#notAStream();
    }
    const { recorder } = this.#input;
    readChunk(value, recorder, this.state, this.#atMs);
    if (this.state.error !== null) throw this.#fault(this.state.error);
    if (this.state.finishReason === null) throw this.#fault(`a reply without an answer: ${text}`);
    recorder.warn({ kind: 'compatibility', message: 'the server did not stream: times to first token and per token are unknown' });
  }

  #fault(said: string): ToolError {
    const { connection } = this.#input.context;
    const { shown, redact } = connection.faults;
    const message = `${shown} sent ${this.state.error === null ? '' : 'an error in the answer: '}${serverText(said, redact)}`;
    return new ToolError(isOverflow(said) ? 'context-overflow' : 'backend', message, {
      cause: { partialText: this.#input.recorder.partialText() },
    });
  }

  #notAStream(): ToolError {
    const { shown, redact } = this.#input.context.connection.faults;
    const said = serverText((this.#start ?? Buffer.alloc(0)).subarray(0, 2000).toString('utf8'), redact);
    return new ToolError('backend', `${shown} did not answer with an event stream but with ${said || 'nothing'}`, {
      hint: 'is this the address of the API? OpenAI-compatible servers usually end in /v1',
    });
  }
}
