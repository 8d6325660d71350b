// Training pairs from rows: the prompt exactly as it is served, and the answer in the assistant turn with its end marker.
import type { Row } from '../../core/dataset.ts';
import { ToolError } from '../../core/errors.ts';
import type { GenerationSettings } from '../../core/generation.ts';
import type { TrainingExample } from '../../core/ports/trainer.ts';
import type { Message } from '../../core/prompt.ts';
import type { PromptContext } from '../../core/task.ts';
import type { BoundTask } from '../../tasks/bind-task.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';
import { type RenderedChat, renderChat } from '../../templating/render-chat.ts';
import { renderTemplate } from '../../templating/render-template.ts';
import type { ChatFormat } from './chat-format.ts';

export interface ExamplesInput {
  readonly definition: TaskDefinition;
  readonly task: BoundTask;
  readonly rows: readonly Row[];
  readonly context: PromptContext;
  readonly format: ChatFormat;
}

/** A pair for the trainer; pieces tell it which look-alikes of control tokens are data. */
export interface ServedExample extends TrainingExample {
  readonly promptParts?: RenderedChat['segments'] | undefined;
}

function renderTurns(
  messages: readonly Message[],
  format: ChatFormat,
  thinking: GenerationSettings['thinking'],
  opensAnswer: boolean,
  prefill?: string,
): RenderedChat {
  const { template, bosToken, eosToken, controlTokens } = format;
  return renderChat(template, { messages, addGenerationPrompt: opensAnswer, bosToken, eosToken, thinking, prefill, controlTokens });
}

/** What the template writes behind an answer, without the white space that follows. */
function endOfTurn(messages: readonly Message[], answer: string, format: ChatFormat, thinking: GenerationSettings['thinking']): string {
  const { text } = renderTurns([...messages, { role: 'assistant', content: answer }], format, thinking, false);
  const at = text.lastIndexOf(answer);
  const marker = at < 0 ? '' : text.slice(at + answer.length).trimEnd();
  return marker === '' ? format.eosToken : marker;
}

/** The answer a row stands for. @throws ToolError `data` where it has none */
export function answerOf(definition: TaskDefinition, row: Row, label: string | null): string {
  const { target } = definition;
  const answer = target === undefined ? label : renderTemplate(target, { ...row.fields, row: row.fields }, { name: 'task.target' });
  if (answer === null || answer.trim() === '') {
    throw new ToolError('data', `row ${row.id} has no answer to learn`, { hint: 'check task.labelColumn and task.target' });
  }
  return answer;
}

/**
 * One example a row, in order.
 * @throws ToolError `data` for a row without an answer
 */
export function trainingExamples({ definition, task, rows, context, format }: ExamplesInput): readonly ServedExample[] {
  const thinking = context.generation.thinking ?? 'auto';
  return rows.map((row): ServedExample => {
    const { facts, request } = task.prepare(row, context);
    if (request.kind === 'rolling') throw new ToolError('unsupported', `task "${task.name}" has no answers to learn`);
    const answer = answerOf(definition, row, facts.label);
    const { prompt } = request.request;
    if (prompt.kind === 'text') {
      const gap = /\s$/u.test(prompt.text) ? '' : definition.targetDelimiter;
      return { id: row.id, prompt: prompt.text, completion: `${gap}${answer}${format.eosToken}` };
    }
    const { text, segments } = renderTurns(prompt.messages, format, thinking, true, prompt.prefill);
    const holdsData = segments.some((segment) => segment.kind === 'data');
    return {
      id: row.id,
      prompt: text,
      completion: answer + endOfTurn(prompt.messages, answer, format, thinking),
      ...(holdsData ? { promptParts: segments } : {}),
    };
  });
}
