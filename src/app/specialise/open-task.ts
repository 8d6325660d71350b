// A specialised task for applications: typed answers, streaming, a tool schema, through the very path that the benchmark measured.
import { ToolError } from '../../core/errors.ts';
import type { FinishReason, Timing, Usage } from '../../core/generation.ts';
import type { Json } from '../../core/json.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Backend, GenerateOptions } from '../../core/ports/backend.ts';
import type { ModelAnswer, PromptContext } from '../../core/task.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';
import { bindInput, type TaskInput, withoutGold } from './application-task.ts';
import { hideReasoning } from './hide-reasoning.ts';
import { loadRecipe } from './load-recipe.ts';
import { openRecipeModel } from './open-recipe-model.ts';
import { promptContextOf, taskDefinitionOf } from './recipe-task.ts';
import { inputColumns, type ToolSchema, toolSchema } from './tool-schema.ts';

export interface TaskAnswer {
  /** Label, parsed JSON, list of entities or text; null where the output is none of the task's answers. */
  readonly value: Json;
  readonly outcome: Outcome;
  /** Untouched output. */
  readonly output: string | null;
  readonly reasoning: string | null;
  readonly finishReason: FinishReason | null;
  readonly usage: Usage;
  readonly timing: Timing;
  readonly warnings: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** `text` parts are pieces of the answer, reasoning taken out; the last part is the whole answer. */
export type TaskStreamPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'answer'; readonly answer: TaskAnswer };

export interface OpenedTask {
  readonly name: string;
  readonly title: string;
  /** Columns that `run` takes. */
  readonly inputs: readonly string[];
  readonly labels: readonly string[] | undefined;
  /** Name of the model with its adapter. */
  readonly model: string;
  readonly tool: ToolSchema;
  readonly run: (input: TaskInput, options?: CallOptions) => Promise<TaskAnswer>;
  readonly stream: (input: TaskInput, options?: CallOptions) => AsyncIterable<TaskStreamPart>;
  readonly close: () => Promise<void>;
}

export interface OpenTaskOptions {
  readonly assignments?: readonly string[] | undefined;
  /** false: the base model alone. @default the adapter of the recipe's first seed */
  readonly adapter?: boolean | undefined;
  readonly offline?: boolean | undefined;
}

function typedValue(prediction: string | null, definition: TaskDefinition, values: readonly string[] | undefined): Json {
  if (prediction === null) return null;
  const { kind } = definition.parser;
  if (definition.labels !== undefined && kind !== 'multi-label') return prediction;
  if (kind === 'list' || kind === 'multi-label') return [...(values ?? [prediction])];
  if (kind !== 'json' && kind !== 'entities') return prediction;
  try {
    return JSON.parse(prediction) as Json;
  } catch {
    return prediction;
  }
}

interface Facts {
  readonly definition: TaskDefinition;
  readonly backend: Backend;
  readonly context: PromptContext;
  readonly seed: number;
}

async function ask(facts: Facts, input: TaskInput, options: GenerateOptions): Promise<TaskAnswer> {
  const { task, row } = bindInput(facts.definition, input, facts.seed);
  const sample = task.prepare(row, facts.context);
  const { request } = sample;
  if (request.kind === 'rolling') throw new ToolError('unsupported', `task "${task.name}" gives no answers`);
  const answer: ModelAnswer =
    request.kind === 'generate'
      ? { kind: 'generate', result: await facts.backend.generate(request.request, options) }
      : { kind: 'score', result: await facts.backend.score(request.request, { signal: options.signal }) };
  const read = task.read(sample, answer, row);
  const generation = answer.kind === 'generate' ? answer.result : null;
  return {
    value: typedValue(read.prediction, facts.definition, read.predictions),
    outcome: read.outcome,
    output: generation?.text ?? null,
    reasoning: read.reasoning,
    finishReason: generation?.finishReason ?? null,
    usage: answer.result.usage,
    timing: answer.result.timing,
    warnings: read.warnings,
  };
}

async function* streamed(facts: Facts, input: TaskInput, options: CallOptions): AsyncGenerator<TaskStreamPart> {
  const parts: string[] = [];
  let wake = () => {};
  const filter = hideReasoning();
  const abort = new AbortController();
  const signal = options.signal === undefined ? abort.signal : AbortSignal.any([options.signal, abort.signal]);
  let settled = false;
  const onPart: GenerateOptions['onPart'] = (part) => {
    if (part.kind === 'text') parts.push(filter.push(part.text));
    wake();
  };
  const answer = ask(facts, input, { signal, onPart }).finally(() => {
    settled = true;
    wake();
  });
  answer.catch(() => {});
  try {
    for (;;) {
      while (parts.length > 0) {
        const text = parts.shift()!;
        if (text !== '') yield { kind: 'text', text };
      }
      if (settled) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (settled || parts.length > 0) resolve();
      });
    }
    const rest = filter.end();
    if (rest !== '') yield { kind: 'text', text: rest };
    yield { kind: 'answer', answer: await answer };
  } finally {
    // A reader that leaves early ends the generation.
    if (!settled) abort.abort();
  }
}

/**
 * Opens the task of a recipe with its trained adapter; close it when done.
 * @example
 * const task = await openTask('recipes/intents-smollm2-135m.yml');
 * const { value } = await task.run('wake me at seven');
 * await task.close();
 * @throws ToolError `config`, `not-found` (no adapter yet), `unavailable`
 */
export async function openTask(recipeFile: string, options: OpenTaskOptions = {}): Promise<OpenedTask> {
  const { recipe } = await loadRecipe(recipeFile, options.assignments);
  const definition = withoutGold(taskDefinitionOf(recipe));
  const { backend, hasChatTemplate, modelName } = await openRecipeModel(recipe, recipeFile, options);
  const facts: Facts = { definition, backend, context: promptContextOf(recipe, hasChatTemplate), seed: recipe.test.seed };
  return {
    name: definition.name,
    title: definition.title,
    inputs: inputColumns(definition),
    labels: definition.labels,
    model: modelName,
    tool: toolSchema(definition),
    run: (input, call = {}) => ask(facts, input, { signal: call.signal }),
    stream: (input, call = {}) => streamed(facts, input, call),
    close: () => backend.close(),
  };
}
