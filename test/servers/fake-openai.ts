// An OpenAI-compatible server with scripted answers: known texts, limits, stop strings, a small context, optionally prompt scores.
import { type MockHandler, type MockReply, type MockRequest, type MockServer, openMockServer } from './mock-server.ts';
import { content, done, event, finish, json, usage } from './openai-replies.ts';

export interface FakeOpenaiOptions {
  readonly model: string;
  /** Answer by the last user message or the prompt. */
  readonly answers: Readonly<Record<string, string>>;
  readonly contextTokens: number;
  readonly owner?: string;
  /** Log-probabilities of prompt tokens, in the way of vLLM or by echo. */
  readonly scores?: ((piece: string, previous: string) => number) | undefined;
  readonly scoringWay?: 'prompt_logprobs' | 'echo';
  /** Overrides any reply. */
  readonly intercept?: ((request: MockRequest) => MockReply | undefined) | undefined;
  readonly pauseMs?: number;
}

interface Body {
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly prompt?: string;
  readonly max_tokens: number;
  readonly stop?: readonly string[];
  readonly stream?: boolean;
  readonly echo?: boolean;
  readonly prompt_logprobs?: number;
}

/** Words with the space before them: the tokens of this server. */
export function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

export function openFakeOpenai(options: FakeOpenaiOptions): Promise<MockServer> {
  return openMockServer(fakeOpenai(options));
}

export function fakeOpenai(options: FakeOpenaiOptions): MockHandler {
  return (sent) => {
    const request = { ...sent, path: sent.path.replace(/[?].*/u, '') };
    const special = options.intercept?.(request);
    if (special !== undefined) return special;
    if (request.path === '/v1/models') {
      const data = [{ id: options.model, object: 'model', owned_by: options.owner ?? 'someone', max_model_len: options.contextTokens }];
      return json({ object: 'list', data });
    }
    if (request.path === '/version') return json({ version: '0.0.fake' });
    if (!request.path.endsWith('/completions')) return json({ error: { message: 'Not Found' } }, 404);
    const body = JSON.parse(request.body) as Body;
    const prompt = body.prompt ?? body.messages?.map((message) => message.content).join('\n\n') ?? '';
    const promptTokens = pieces(prompt).length;
    if (promptTokens > options.contextTokens) {
      const message = `This model's maximum context length is ${options.contextTokens} tokens. However, you requested ${promptTokens} tokens.`;
      return json({ error: { message, type: 'BadRequestError', code: 400 } }, 400);
    }
    if (body.stream !== true) return scoreReply(body, prompt, options);
    return answerReply(body, options, promptTokens);
  };
}

function answerReply(body: Body, { answers, pauseMs }: FakeOpenaiOptions, promptTokens: number): MockReply {
  const question = body.messages?.findLast((message) => message.role === 'user')?.content ?? body.prompt ?? '';
  const full = answers[question] ?? 'no answer';
  const stops = (body.stop ?? []).map((stop) => ({ stop, at: full.indexOf(stop) })).filter(({ at }) => at >= 0);
  const first = stops.sort((left, right) => left.at - right.at)[0];
  const all = pieces(first === undefined ? full : full.slice(0, first.at));
  const shown = all.slice(0, body.max_tokens);
  const chunk = (text: string) =>
    body.messages === undefined ? event({ choices: [{ text, index: 0, finish_reason: null }] }) : content(text);
  const end =
    shown.length < all.length
      ? finish('length')
      : finish('stop', first === undefined ? { stop_reason: null } : { stop_reason: first.stop });
  const texts = [...shown.map(chunk), end + usage(shown.length, promptTokens) + done];
  return { pieces: texts.map((bytes, index) => (pauseMs === undefined ? { bytes } : { bytes, atMs: index * pauseMs })) };
}

function scoreReply(body: Body, prompt: string, { scores, scoringWay = 'prompt_logprobs' }: FakeOpenaiOptions): MockReply {
  const tokens = pieces(prompt);
  const values = tokens.map((piece, index) => (index === 0 || scores === undefined ? null : scores(piece, tokens[index - 1]!)));
  const counts = { prompt_tokens: tokens.length, completion_tokens: 1 };
  if (scores !== undefined && scoringWay === 'prompt_logprobs' && body.prompt_logprobs !== undefined) {
    const list = values.map((logprob, index) =>
      logprob === null ? null : { [index + 100]: { logprob, rank: logprob > -1 ? 1 : 7, decoded_token: tokens[index] } },
    );
    return json({ choices: [{ text: ' x', finish_reason: 'length', prompt_logprobs: list }], usage: counts });
  }
  if (scores !== undefined && scoringWay === 'echo' && body.echo === true) {
    const logprobs = {
      tokens: [...tokens, ' x'],
      token_logprobs: [...values, -0.5],
      top_logprobs: [...values.map(() => null), null],
      text_offset: [],
    };
    return json({ choices: [{ text: `${prompt} x`, finish_reason: 'length', logprobs }], usage: counts });
  }
  // As llama-server does: 200 with the generated token only.
  const generated = { content: [{ id: 1, token: ' x', logprob: -0.24, top_logprobs: [] }] };
  return json({ choices: [{ text: ' x', finish_reason: 'length', logprobs: generated }], usage: counts });
}
