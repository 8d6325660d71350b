// Finds out whether a server can really score given text, by having it score text whose plausibility is known.
import { messageOf } from '../../core/errors.ts';
import { type PromptScores, readPromptScores, type ScoringWay, scoringFields, scoringWays } from './prompt-logprobs.ts';

/** Sends a completion body and returns the parsed reply. */
export type Complete = (body: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface ScoringAbility {
  readonly way: ScoringWay | null;
  /** Why there is none; for the error message. */
  readonly reason: string;
}

const plain = 'The sun rises in the east and sets in the west. One two three four five six seven eight nine ten.';
const garbled = 'xq7 Zvv kkj ##p wq0 yyrt bnn fjd qpz ooe wbx. Zzk uuv rrm ppq dde hhx ssn ggt llw mmc vva.';

/**
 * Tries each way on a plain and a garbled string. A way counts only where every prompt token has a log-probability of at most 0 and
 * the plain text is clearly likelier per character; a server that answers with something else (llama-server returns the generated
 * token's value for `echo`) is refused instead of scored as noise.
 */
export async function probeScoring(complete: Complete, model: string): Promise<ScoringAbility> {
  const reasons: string[] = [];
  for (const way of scoringWays) {
    try {
      const score = async (prompt: string) => readPromptScores(await complete({ model, prompt, ...scoringFields(way) }), way, prompt);
      const doubt = doubtIn(await score(plain), await score(garbled));
      if (doubt === null) return { way, reason: '' };
      reasons.push(`${way}: ${doubt}`);
    } catch (thrown) {
      reasons.push(`${way}: ${messageOf(thrown).replace(/^the server cannot score: /u, '')}`);
    }
  }
  return { way: null, reason: reasons.join('; ') };
}

/** Why these scores cannot be right, or null. */
function doubtIn(likely: PromptScores, unlikely: PromptScores): string | null {
  const values = [...likely.tokens, ...unlikely.tokens].flatMap((token) => (token.logprob === null ? [] : [token.logprob]));
  if (values.some((value) => value > 1e-6)) return 'a log-probability above 0';
  if (likely.tokens.length < 8) return `only ${likely.tokens.length} scored tokens for ${plain.length} characters`;
  if (new Set(values).size < 4) return 'the same value for every token';
  const perCharacter = (scores: PromptScores, text: string) =>
    scores.tokens.reduce((sum, token) => sum + (token.logprob ?? 0), 0) / text.length;
  return perCharacter(likely, plain) > perCharacter(unlikely, garbled) + 0.1 ? null : 'plain English is not likelier than garbled letters';
}
