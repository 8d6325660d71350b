// Log-likelihoods of given continuations at a server that proved that it can score.
import { ToolError } from '../../core/errors.ts';
import { type ChoiceScore, noTiming, type ScoreRequest, type ScoreResult } from '../../core/generation.ts';
import type { Prompt } from '../../core/prompt.ts';
import { type PromptScores, readPromptScores, type ScoringWay, scoringFields } from './prompt-logprobs.ts';
import { scoreEnd, splitPrompt, sumFrom } from './score-text.ts';
import type { Complete, ScoringAbility } from './scoring-probe.ts';

/** @throws ToolError `unsupported` with the alternative named, where the probe found no way */
export function requireScoring({ way, reason }: ScoringAbility, shown: string): ScoringWay {
  if (way !== null) return way;
  throw new ToolError('unsupported', `${shown} cannot score given continuations (${reason})`, {
    hint: 'use the embedded engine (-m MODEL.gguf), a vLLM server, or the generated-letter form of the task',
  });
}

export async function scoreAt(complete: Complete, model: string, way: ScoringWay, request: ScoreRequest): Promise<ScoreResult> {
  const startMs = performance.now();
  const score = async (prompt: string): Promise<PromptScores> =>
    readPromptScores(await complete({ model, prompt, ...scoringFields(way) }), way, prompt);
  const counts = new Map<string, Promise<number>>();
  const countTokens = (context: string): Promise<number> => {
    const known = counts.get(context) ?? score(context).then(({ tokens }) => tokens.length);
    counts.set(context, known);
    return known;
  };
  let promptTokens = 0;
  let cachedTokens: number | null = null;
  const choices = await Promise.all(
    request.choices.map(async ({ continuation, prompt = request.prompt }): Promise<ChoiceScore> => {
      const split = splitPrompt(textOf(prompt), continuation);
      if (split.context === '')
        throw new ToolError('unsupported', 'a server cannot score a text without a context: the first token has no log-probability');
      const scores = await score(split.context + split.continuation);
      promptTokens += scores.promptTokens ?? scores.tokens.length;
      if (scores.cachedTokens !== null) cachedTokens = (cachedTokens ?? 0) + scores.cachedTokens;
      return scoreEnd(scores.tokens, split.continuation) ?? sumFrom(scores.tokens, await countTokens(split.context));
    }),
  );
  const totalMs = performance.now() - startMs;
  return {
    choices,
    usage: { promptTokens, cachedTokens, completionTokens: 0, reasoningTokens: null, source: 'server' },
    timing: { ...noTiming, totalMs },
    warnings: [],
  };
}

function textOf(prompt: Prompt): string {
  if (prompt.kind === 'text') return prompt.text;
  throw new ToolError('unsupported', 'a server cannot score after a chat: its template is not ours to apply', {
    hint: 'score plain text (--no-chat), or use the embedded engine',
  });
}
