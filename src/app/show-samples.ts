// Shows exactly what a model sees: prompt bytes after the chat template, token ids and pieces, choices and gold.

import type { Row } from '../core/dataset.ts';
import type { Prompt, RenderedPrompt } from '../core/prompt.ts';
import type { PreparedSample, RunnableTask } from '../core/task.ts';
import { prepareEvaluation, promptContextFor } from './evaluate-request.ts';
import type { EvaluationRequest } from './evaluation-request.ts';

export interface ShownSample {
  readonly task: string;
  readonly model: string | null;
  readonly id: string;
  readonly row: Row['fields'];
  readonly label: string | null;
  readonly gold: readonly number[];
  readonly references: readonly string[];
  readonly prompt: Prompt;
  /** null where no model was named: only a model's own template and tokenizer tell. */
  readonly rendered: RenderedPrompt | null;
  readonly choices: readonly string[];
  readonly settings: unknown;
}

function promptOf(sample: PreparedSample): { readonly prompt: Prompt; readonly choices: readonly string[]; readonly settings: unknown } {
  const { request } = sample;
  if (request.kind === 'score')
    return {
      prompt: request.request.choices[0]?.prompt ?? request.request.prompt,
      choices: request.request.choices.map((choice) => choice.continuation),
      settings: null,
    };
  if (request.kind === 'generate') return { prompt: request.request.prompt, choices: [], settings: request.request.settings };
  return { prompt: { kind: 'text', text: request.request.text }, choices: [], settings: { windowing: request.request.windowing } };
}

function show(task: RunnableTask, row: Row, sample: PreparedSample, model: string | null, rendered: RenderedPrompt | null): ShownSample {
  return {
    task: task.key,
    model,
    id: row.id,
    row: row.fields,
    label: sample.facts.label,
    gold: sample.facts.gold ?? [],
    references: sample.facts.references ?? [],
    rendered,
    ...promptOf(sample),
  };
}

/** Without -m the prompts are shown as they leave the task; with -m also as that model's template and tokenizer make them. */
export async function showSamples(request: EvaluationRequest): Promise<readonly ShownSample[]> {
  const named = request.models ?? [];
  const prepared = await prepareEvaluation({ ...request, models: named.length > 0 ? named : ['toy'] }, () => {});
  const context = promptContextFor(prepared.recipe);
  const shown: ShownSample[] = [];
  for (const model of prepared.plan.models) {
    const backend = named.length > 0 ? await prepared.models.open(model) : null;
    try {
      for (const { task } of prepared.tasks) {
        for (const row of task.rows) {
          const chatFacts = backend === null ? { ...model, facts: { ...model.facts, hasChatTemplate: true } } : model;
          const sample = task.prepare(row, context(chatFacts, task));
          const rendered = backend?.capabilities.tokenize === true ? await backend.render(promptOf(sample).prompt) : null;
          shown.push(show(task, row, sample, backend === null ? null : model.key, rendered));
        }
      }
    } finally {
      await backend?.close();
    }
  }
  return shown;
}
