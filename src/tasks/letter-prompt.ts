// The question with its options in letters, for tasks whose options are otherwise scored by text.
import { renderTemplate } from '../templating/render-template.ts';
import { questionText, type TaskDocument } from './document.ts';
import { optionLetters, variablesOf } from './row-values.ts';
import type { TaskBody } from './task-definition.ts';

const instruction = 'Reply with the letter of the right answer only.';

/** `A. first` lines. */
export function optionLines(options: readonly string[]): string {
  return options.map((option, index) => `${optionLetters[index]}. ${option.trim()}`).join('\n');
}

/** User turn for a generated letter. A prompt that lists the options already (`score: letter`) is used as it is. */
export function letterPrompt(document: TaskDocument, body: TaskBody, chat: boolean): string {
  const closing = chat ? instruction : 'Answer:';
  if (body.score === 'letter' || body.kind === 'choose-letter') return asWritten(questionText(document, body.prompt), chat);
  const question =
    body.question === undefined
      ? questionText(document, body.prompt).replace(/\n?(?:Answer|A|Label|Sentiment):\s*$/u, '')
      : renderTemplate(body.question, variablesOf(document.fields));
  return `${question.trim()}\n${optionLines(document.options)}\n${closing}`;
}

function asWritten(prompt: string, chat: boolean): string {
  return chat && /Answer:\s*$/u.test(prompt) ? prompt.replace(/Answer:\s*$/u, instruction) : prompt;
}
