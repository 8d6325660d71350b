// Log-probabilities of the tokens of a prompt, by whichever way the server has: vLLM's `prompt_logprobs`, or `echo` with `logprobs`.
import { ToolError } from '../../core/errors.ts';
import type { ScoredToken } from './score-text.ts';

export type ScoringWay = 'prompt_logprobs' | 'echo';

export const scoringWays: readonly ScoringWay[] = ['prompt_logprobs', 'echo'];

/** Body fields that ask for the prompt's log-probabilities. One token is generated, since many servers refuse none. */
export function scoringFields(way: ScoringWay): Readonly<Record<string, unknown>> {
  const common = { max_tokens: 1, temperature: 0, stream: false };
  return way === 'echo' ? { ...common, echo: true, logprobs: 1 } : { ...common, prompt_logprobs: 0 };
}

export interface PromptScores {
  readonly tokens: readonly ScoredToken[];
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
}

/**
 * Reads the reply to a request with `scoringFields`.
 * @throws ToolError `unsupported` where the reply does not hold one log-probability for each prompt token
 */
export function readPromptScores(reply: unknown, way: ScoringWay, prompt: string): PromptScores {
  const { choices, usage } = (reply ?? {}) as {
    readonly choices?: readonly Record<string, unknown>[];
    readonly usage?: Record<string, unknown>;
  };
  const choice = choices?.[0];
  if (choice === undefined) throw lacking('the reply has no choice');
  const tokens = way === 'echo' ? readEcho(choice['logprobs'], prompt) : readPromptLogprobs(choice['prompt_logprobs']);
  const details = usage?.['prompt_tokens_details'] as Record<string, unknown> | null | undefined;
  return { tokens, promptTokens: number(usage?.['prompt_tokens']), cachedTokens: number(details?.['cached_tokens']) };
}

/** A list with one entry per prompt token; the first is null, the others map token id to `{logprob, rank, decoded_token}`. */
function readPromptLogprobs(list: unknown): readonly ScoredToken[] {
  if (!Array.isArray(list) || list.length === 0) throw lacking('it sends no prompt_logprobs');
  return list.map((entry, index) => {
    if (entry === null && index === 0) return { text: null, logprob: null, greedy: false };
    const [id, facts] = Object.entries((entry ?? {}) as Record<string, Record<string, unknown>>)[0] ?? [];
    const logprob = number(facts?.['logprob']);
    if (facts === undefined || logprob === null) throw lacking(`prompt token ${index} has no log-probability`);
    return { text: String(facts['decoded_token'] ?? ''), logprob, greedy: facts['rank'] === 1, id: Number(id) };
  });
}

/** The echoed prompt with a log-probability per token, the generated token last. */
function readEcho(value: unknown, prompt: string): readonly ScoredToken[] {
  const { tokens, token_logprobs: values, top_logprobs: tops } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(tokens) || !Array.isArray(values) || tokens.length !== values.length)
    throw lacking('it sends no log-probabilities of the echoed prompt');
  const scored: ScoredToken[] = [];
  let length = 0;
  for (const [index, text] of tokens.entries()) {
    if (length >= prompt.length) break;
    const logprob = number(values[index]);
    if (logprob === null && index > 0) throw lacking(`echoed token ${index} has no log-probability`);
    scored.push({ text: String(text), logprob: index === 0 ? null : logprob, greedy: isGreedy(tops, index, logprob) });
    length += String(text).length;
  }
  if (scored.map((token) => token.text).join('') !== prompt) throw lacking('the echoed tokens are not the prompt');
  return scored;
}

function isGreedy(tops: unknown, index: number, logprob: number | null): boolean {
  const top = Array.isArray(tops) ? (tops[index] as Record<string, unknown> | null | undefined) : undefined;
  const best = Math.max(...Object.values(top ?? {}).map(Number));
  return logprob !== null && Number.isFinite(best) && logprob >= best - 1e-6;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function lacking(what: string): ToolError {
  return new ToolError('unsupported', `the server cannot score: ${what}`);
}
