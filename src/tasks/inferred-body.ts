// Prompt, reading and metrics of an inferred task, by task type.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { TaskType } from '../core/task.ts';
import {
  choiceMetrics,
  classMetrics,
  codeMetrics,
  letterMetrics,
  perplexityMetrics,
  shortAnswerMetrics,
  summaryMetrics,
} from './catalogue/metric-sets.ts';
import type { TaskColumns } from './infer-columns.ts';
import type { InferenceInput } from './infer-task.ts';
import { textOf, valueAt } from './row-values.ts';
import type { TaskDefinitionInput } from './task-definition.ts';

type Body = Partial<TaskDefinitionInput> & Pick<TaskDefinitionInput, 'kind' | 'prompt' | 'metrics' | 'primaryMetric'>;

/** `{{ name }}`, also for names that are no identifiers. */
function reading(column: string): string {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/u.test(column) ? `{{${column}}}` : `{{row[${JSON.stringify(column)}]}}`;
}

export function bodyFor(type: TaskType, columns: TaskColumns, options: InferenceInput): Body {
  const body = defaultBody(type, columns, options.rows, options);
  const prompt = options.prompt ?? body.prompt;
  if (options.metrics === undefined || options.metrics.length === 0) return { ...body, prompt };
  return { ...body, prompt, metrics: [...options.metrics], primaryMetric: options.metrics[0]! };
}

function defaultBody(type: TaskType, columns: TaskColumns, rows: readonly Row[], options: InferenceInput): Body {
  switch (type) {
    case 'multiple_choice':
      return columns.choices === undefined ? lettersInPrompt(columns, rows) : choiceBody(columns, rows);
    case 'classification':
      return classBody(columns, rows, options);
    case 'summarization':
      return {
        ...textBody(columns, rows),
        prompt: `Summarize the following text:\n\n${reading(columns.input)}\n\nSummary:`,
        generation: { maxTokens: 128 },
        metrics: summaryMetrics,
        primaryMetric: 'rouge_l',
      };
    case 'code':
      return codeBody(columns);
    case 'language_modelling':
      return { kind: 'perplexity', prompt: reading(columns.input), metrics: perplexityMetrics, primaryMetric: 'byte_perplexity' };
    case 'extraction':
      return {
        ...textBody(columns, rows),
        prompt: reading(columns.input),
        parser: { kind: 'json' },
        metrics: ['exact_match'],
        primaryMetric: 'exact_match',
      };
    case 'text_generation':
      return { ...textBody(columns, rows), prompt: reading(columns.input), metrics: ['token_f1', 'rouge_l'], primaryMetric: 'token_f1' };
    case 'qa':
      return { ...textBody(columns, rows), ...questionPrompt(columns), metrics: shortAnswerMetrics, primaryMetric: 'exact_match' };
  }
}

function needTarget(columns: TaskColumns, type: string): string {
  if (columns.target !== undefined) return columns.target;
  throw new ToolError('config', `a ${type} task needs a column with the right answer`, { hint: 'name it: --column target=NAME' });
}

function choiceBody(columns: TaskColumns, rows: readonly Row[]): Body {
  const target = needTarget(columns, 'multiple-choice');
  const labels = labelColumn(columns, target, rows);
  const context = columns.context === undefined ? '' : `${reading(columns.context)}\n`;
  const choices = typeof columns.choices === 'string' ? columns.choices : columns.choices!.map(reading);
  return {
    kind: 'choose',
    prompt: `${context}Question: ${reading(columns.input)}\nAnswer:`,
    question: `${context}${reading(columns.input)}`,
    choices,
    gold: labels === undefined ? { column: target } : { column: target, labels },
    metrics: choiceMetrics,
    primaryMetric: 'acc_norm',
  };
}

/** Path of the options' own labels, where the right answers are named by them. */
function labelColumn(columns: TaskColumns, target: string, rows: readonly Row[]): string | undefined {
  if (typeof columns.choices !== 'string') return undefined;
  const path = `${columns.choices}.label`;
  const fits = rows.every((row) => {
    const labels = valueAt(row.fields, path);
    return Array.isArray(labels) && labels.map(textOf).includes(textOf(valueAt(row.fields, target)).trim());
  });
  return fits ? path : undefined;
}

/** The options stand in the prompt itself, so only their letters can be scored. */
function lettersInPrompt(columns: TaskColumns, rows: readonly Row[]): Body {
  const target = needTarget(columns, 'multiple-choice');
  const highest = Math.max(
    ...rows.map((row) => letterIndex(textOf(valueAt(row.fields, target))) ?? -1),
    ...rows.map((row) => listed(textOf(valueAt(row.fields, columns.input)))),
  );
  if (highest < 0)
    throw new ToolError('config', `column "${target}" holds no option letters`, { hint: 'give the options in a column "choices"' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, Math.max(2, highest + 1));
  return {
    kind: 'choose-letter',
    prompt: `${reading(columns.input)}\nAnswer:`,
    choices: letters,
    gold: { column: target, as: 'label' },
    metrics: letterMetrics,
    primaryMetric: 'acc',
  };
}

function letterIndex(text: string): number | undefined {
  return /^[A-Za-z]$/u.test(text.trim()) ? text.trim().toUpperCase().charCodeAt(0) - 65 : undefined;
}

/** Index of the last option that a prompt lists. */
function listed(prompt: string): number {
  const marks = [...prompt.matchAll(/^\s*\(?([A-Z])[).:]/gmu)].map((hit) => hit[1]!.charCodeAt(0) - 65);
  let last = -1;
  for (const mark of marks) if (mark === last + 1) last = mark;
  return last;
}

function classBody(columns: TaskColumns, rows: readonly Row[], options: InferenceInput): Body {
  const target = needTarget(columns, 'classification');
  const labels = options.labels ?? options.classNames?.[target] ?? distinctLabels(rows, target);
  return {
    kind: 'generate',
    prompt: `Classify the text as one of: ${labels.map(literal).join(', ')}. Reply with the label only.\n\nText: ${reading(columns.input)}\nLabel:`,
    labels: [...labels],
    gold: { column: target },
    parser: { kind: 'label' },
    generation: { maxTokens: 32 },
    metrics: classMetrics,
    primaryMetric: 'accuracy',
  };
}

function literal(label: string): string {
  return /[{}]/u.test(label) ? `{{ ${JSON.stringify(label)} }}` : label;
}

function distinctLabels(rows: readonly Row[], target: string): readonly string[] {
  const values = rows.flatMap((row) => {
    const value = valueAt(row.fields, target);
    return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  });
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))].sort();
}

function textBody(columns: TaskColumns, rows: readonly Row[]): Pick<TaskDefinitionInput, 'kind' | 'references' | 'target'> {
  const target = needTarget(columns, 'text');
  const sample = valueAt(rows[0]!.fields, target);
  if (Array.isArray(sample)) return { kind: 'generate', references: target };
  const nested =
    typeof sample === 'object' && sample !== null
      ? Object.keys(sample).find((name) => ['text', 'aliases', 'input_text'].includes(name))
      : undefined;
  return nested === undefined ? { kind: 'generate', target: reading(target) } : { kind: 'generate', references: `${target}.${nested}` };
}

function questionPrompt(columns: TaskColumns): Pick<TaskDefinitionInput, 'prompt' | 'question' | 'system' | 'parser' | 'stop'> {
  const context = columns.context === undefined ? '' : `Passage: ${reading(columns.context)}\n`;
  return {
    system: 'Answer with a word or a short phrase only.',
    prompt: `${context}Question: ${reading(columns.input)}\nAnswer:`,
    question: `${context}${reading(columns.input)}`,
    parser: { kind: 'first-line' },
    stop: ['\n\nQuestion:'],
  };
}

function codeBody(columns: TaskColumns): Body {
  return {
    kind: 'generate',
    transform: 'code-tests',
    prompt: reading(columns.input),
    generation: { maxTokens: 512 },
    parser: { kind: 'code', language: 'python' },
    extra: { tests: 'program_tests', entryPoint: 'entry_point' },
    graders: ['code-python'],
    metrics: codeMetrics,
    primaryMetric: 'pass@k:k=1',
  };
}
