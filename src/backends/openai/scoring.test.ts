import { afterEach, describe, expect, it } from 'vitest';
import { fakeOpenai } from '../../../test/servers/fake-openai.ts';
import { type MockHandler, openMockServer } from '../../../test/servers/mock-server.ts';
import { json } from '../../../test/servers/openai-replies.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { openOpenaiBackend } from './openai-backend.ts';
import { scoreEnd, splitPrompt, sumFrom } from './score-text.ts';
import { parseMetrics, tokenTotals } from './server-metrics.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function open(handler: MockHandler): Promise<Backend> {
  const server = await openMockServer(handler);
  const backend = await openOpenaiBackend(
    { url: server.url, serverModel: 'm', facts: {} as ModelFacts },
    {},
    { server: { environment: {} } },
  );
  cleanups.push(
    () => backend.close(),
    () => server.close(),
  );
  return backend;
}
const request = { prompt: { kind: 'text', text: 'the sky is ' }, choices: [{ continuation: 'blue' }] } as const;
const plausible = (piece: string) => (/^ ?[a-z]{2,}[.]?$/iu.test(piece) ? -0.5 - 0.125 * piece.length : -4 - piece.length);

describe('scoring probe', () => {
  it.each(['prompt_logprobs', 'echo'] as const)('accepts a server that scores by %s', async (scoringWay) => {
    const backend = await open(fakeOpenai({ model: 'm', answers: {}, contextTokens: 1000, scores: plausible, scoringWay }));
    expect(backend.identity.settings['scoring']).toBe(scoringWay);
    const { choices, usage } = await backend.score(request);
    expect(choices[0]).toMatchObject({ logprob: -0.5 - 5 * 0.125, tokens: 1 });
    expect(usage.promptTokens).toBe(4);
  });

  it.each([
    ['the same value for everything', () => -1, 'the same value for every token'],
    ['values above 0', (piece: string) => piece.length / 10, 'a log-probability above 0'],
    ['noise', (piece: string) => -((piece.charCodeAt(1) * 7919) % 13) / 3 - 0.01 * piece.length, 'not likelier than garbled'],
  ])('refuses %s', async (_name, scores, reason) => {
    const backend = await open(fakeOpenai({ model: 'm', answers: {}, contextTokens: 1000, scores }));
    expect(backend.capabilities.score).toBe(false);
    await expect(backend.score(request)).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining(reason) });
  });

  it('refuses a server that answers 200 with the generated token only, and names the alternative (D19)', async () => {
    const backend = await open(fakeOpenai({ model: 'm', answers: {}, contextTokens: 1000 }));
    await expect(backend.score(request)).rejects.toMatchObject({ code: 'unsupported', hint: expect.stringContaining('embedded engine') });
  });

  it('takes a server that refuses the question for one that cannot score', async () => {
    const refuse = () => json({ error: { message: 'echo is not supported' } }, 400);
    const backend = await open((call) => (call.path === '/v1/models' ? json({ data: [{ id: 'm' }] }) : refuse()));
    expect(backend.capabilities.score).toBe(false);
  });
});

describe('score of the end of a text', () => {
  const token = (text: string | null, logprob: number | null, greedy = true) => ({ text, logprob, greedy });

  it('moves spaces at the end of the context to the continuation', () => {
    expect(splitPrompt('the sky is ', 'blue')).toEqual({ context: 'the sky is', continuation: ' blue' });
    expect(splitPrompt('a\n\n', 'b')).toEqual({ context: 'a', continuation: '\n\nb' });
  });

  it('sums from where the continuation begins, whatever stands at the start', () => {
    const tokens = [token('<s>', null), token('the', -2), token(' sky', -1, false), token(' bl', -0.5), token('ue', -0.25)];
    expect(scoreEnd(tokens, ' blue')).toEqual({ logprob: -0.75, tokens: 2, greedy: true, tokenLogprobs: [-0.5, -0.25] });
    expect(scoreEnd(tokens, ' sky blue')).toMatchObject({ logprob: -1.75, greedy: false });
  });

  it('scores a token that spans the border', () => {
    expect(scoreEnd([token('a', null), token('b c', -1), token('d', -0.5)], 'cd')).toMatchObject({ logprob: -1.5, tokens: 2 });
  });

  it('says that it does not know where pieces are broken characters', () => {
    expect(scoreEnd([token('a', null), token('\ufffd', -1), token('\ufffd', -1)], 'é')).toBeNull();
    expect(sumFrom([token('a', null), token('\ufffd', -1), token('\ufffd', -1)], 1)).toMatchObject({ logprob: -2, tokens: 2 });
  });

  it('refuses a first token, which has no probability', () => {
    expect(() => sumFrom([token('a', null)], 0)).toThrow('needs a context');
  });
});

describe('server metrics', () => {
  const llama =
    '# HELP llamacpp:prompt_tokens_total x\n# TYPE llamacpp:prompt_tokens_total counter\nllamacpp:prompt_tokens_total 42\nllamacpp:tokens_predicted_total 7\nllamacpp:kv_cache_usage_ratio NaN\n';
  const vllm =
    'vllm:prompt_tokens_total{model_name="m",engine="0"} 40.0\nvllm:prompt_tokens_total{model_name="m",engine="1"} 2.0\nvllm:generation_tokens_total{model_name="m"} 7.0 1700000000\nvllm:e2e_request_latency_seconds_bucket{le="+Inf"} 9\nvllm:e2e_request_latency_seconds_sum 1.5\n';

  it('reads llama-server and vLLM alike', () => {
    for (const text of [llama, vllm]) expect(tokenTotals(parseMetrics(text))).toMatchObject({ promptTokens: 42, generatedTokens: 7 });
    expect(tokenTotals(parseMetrics(llama))).toMatchObject({ requests: null, countsCachedPrompts: false });
    expect(
      tokenTotals(
        parseMetrics(
          `${vllm}vllm:request_success_total{finished_reason="stop"} 3\nvllm:request_success_total{finished_reason="length"} 4\n`,
        ),
      ),
    ).toMatchObject({ requests: 7, countsCachedPrompts: true });
    expect(parseMetrics(vllm)).not.toHaveProperty('vllm:e2e_request_latency_seconds_bucket');
  });

  it('has null for what is not there', () => {
    expect(tokenTotals(parseMetrics('hello world\n'))).toBeNull();
    expect(tokenTotals(parseMetrics('vllm:prompt_tokens_total 3\n'))).toMatchObject({
      promptTokens: 3,
      generatedTokens: null,
      requests: null,
    });
  });
});
