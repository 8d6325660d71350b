// The conversation of one prompt before it becomes text or chat messages: one list of turns serves both forms.
import type { Message, Prompt, Role } from '../core/prompt.ts';

/** A turn, and the text that follows it in a completion prompt. */
export interface Turn {
  readonly role: Role;
  readonly content: string;
  readonly after: string;
}

const spaceAtSeam = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u;

/** Joins two texts with a delimiter unless one is empty or the seam already has white space. */
export function joinTexts(before: string | undefined, after: string | undefined, delimiter: string): string {
  if (before === undefined || before === '') return after ?? '';
  if (after === undefined || after === '') return before;
  const hasSpace = spaceAtSeam.test(before.at(-1)!) || spaceAtSeam.test(after[0]!);
  return hasSpace ? before + after : before + delimiter + after;
}

/** Question and answer of one shot. An empty answer leaves the question alone, as lm-eval does. */
export function shotTurns(question: string, answer: string, targetDelimiter: string, shotDelimiter: string): readonly Turn[] {
  if (answer === '') return [{ role: 'user', content: question, after: '' }];
  return [
    { role: 'user', content: question, after: targetDelimiter },
    { role: 'assistant', content: answer, after: shotDelimiter },
  ];
}

/** One completion text. */
export function completionPrompt(turns: readonly Turn[]): Prompt {
  return { kind: 'text', text: turns.map((turn) => turn.content + turn.after).join('') };
}

/** Chat messages: shots as turns of their own, or (`flat`) all in one user message after the system turn. */
export function chatPrompt(turns: readonly Turn[], flat: boolean): Prompt {
  if (!flat) return { kind: 'chat', messages: turns.map(({ role, content }): Message => ({ role, content })) };
  const system = turns[0]?.role === 'system' ? turns.slice(0, 1) : [];
  const rest = turns.slice(system.length);
  const last = rest.at(-1)!;
  const text =
    rest
      .slice(0, -1)
      .map((turn) => turn.content + turn.after)
      .join('') + last.content;
  return { kind: 'chat', messages: [...system.map(({ role, content }): Message => ({ role, content })), { role: 'user', content: text }] };
}
