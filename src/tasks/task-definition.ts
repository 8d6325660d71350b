// What a task is: the schema behind task files (YAML, JSON or TypeScript) and behind the standard catalogue.
import { z } from 'zod';
import { generationSettingsSchema } from '../core/generation.ts';
import { taskTypes } from '../core/task.ts';
import { transformNames } from './transforms/transform-names.ts';

const template = z.string().describe('Jinja template over the columns of one row; an unknown name is an error');
const path = z.string().min(1).describe('Column, or dotted path into one: choices.text');

/** Where the options come from: a list column (dotted path), or one template each. */
const choicesSchema = z.union([path, z.array(template).min(1)]);

/**
 * How the right option is named. `index` counts from 0 after adding `offset`; `label` is looked up in `labels`
 * (default: the letters A, B, C...); `text` equals an option; `mask` is a list of 0/1 flags, one an option.
 */
const goldSchema = z.union([
  z.strictObject({ fixed: z.number().int().nonnegative() }),
  z.strictObject({
    column: path,
    as: z.enum(['auto', 'index', 'label', 'text', 'mask']).default('auto'),
    labels: path.optional(),
    offset: z.number().int().default(0),
  }),
]);

const fewShotSchema = z.strictObject({
  /** Shots when the user names no number. */
  count: z.number().int().nonnegative().default(0),
  /** `random`: drawn by seed. `first`: the first rows of the pool, in order. */
  sampler: z.enum(['random', 'first']).default('random'),
  /** Draw within the row's own category. */
  perCategory: z.boolean().default(false),
  /** Draw anew for each row, from hash(seed + row id), instead of one fixed set. */
  perDocument: z.boolean().default(false),
  /** Fixed rows that replace the pool. */
  samples: z.array(z.record(z.string(), z.json())).optional(),
  /** Text between shots in completion prompts. */
  delimiter: z.string().default('\n\n'),
  /** Template of a shot, where it differs from the prompt. */
  prompt: template.optional(),
  /** Template of a shot's answer, where it differs from the target. */
  target: template.optional(),
  /** The number of shots is part of the task's definition and cannot be changed. */
  locked: z.boolean().default(false),
  /** lm-eval: its pool counts as the evaluated split, so it draws n + 1 and drops the row under test. */
  drawsOneMore: z.boolean().default(false),
});

export const parserKinds = [
  'choice',
  'number',
  'label',
  'multi-label',
  'json',
  'code',
  'list',
  'entities',
  'text',
  'first-line',
  'raw',
  'regex',
  'gsm8k-strict',
  'gsm8k-flexible',
  'math',
] as const;

const parserSchema = z.strictObject({
  /** A named reader; `first-line` is `text` cut at its first line end, `raw` is the output untouched. */
  kind: z.enum(parserKinds),
  /** Programming language of `code`. */
  language: z.string().optional(),
  /** JSON Schema of `json`. */
  schema: z.json().optional(),
  /** Of `regex`: the pattern, its flags, the group that is the answer, and which hit counts. */
  pattern: z.string().optional(),
  flags: z.string().optional(),
  group: z.union([z.number().int().nonnegative(), z.string()]).optional(),
  which: z.enum(['first', 'last']).default('last'),
  /** Of `number`: the decimal mark, where it is declared. */
  decimal: z.enum(['.', ',']).optional(),
  /** Of `entities`: the column with the text that spans must occur in. */
  textColumn: path.optional(),
});

/** Graders that a task may name. */
export const graderNames = ['code-python', 'code-javascript', 'ifeval', 'judge', 'similarity'] as const;

const judgeScaleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('labels'), labels: z.array(z.string().min(1)).min(2).describe('Verdicts, best first') }),
  z
    .strictObject({ kind: z.literal('points'), max: z.number(), min: z.number().default(0) })
    .refine(({ min, max }) => min < max, { message: '"max" must be above "min"', path: ['max'] }),
]);

/** Grading by language models, used where the task or the recipe names judges. */
const judgeSchema = z.strictObject({
  /** What makes an answer good, in plain words. */
  rubric: z.string().trim().min(1),
  scale: judgeScaleSchema,
  /** Model references; the recipe's `judges` replace them. Several judges: majority of labels, median of points. */
  judges: z.array(z.string().min(1)).optional(),
  /** Column with a human label of the answer, for metric `judge_agreement`. */
  humanLabel: path.optional(),
});

const metricUseSchema = z.union([z.string(), z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()).optional() })]);

/** Everything that shapes prompts and reading; a protocol variant may replace any of it. */
const bodyShape = {
  kind: z.enum(['choose', 'choose-letter', 'generate', 'perplexity']),
  /** Named built-in preparation of a row for what a template cannot express. */
  transform: z.enum(transformNames).optional(),
  /** The user's turn. */
  prompt: template,
  /** System turn in chat, first line of completion prompts. */
  system: template.optional(),
  /** Text before the shots; ends with its own blank line. Follows the system text. */
  preamble: template.optional(),
  choices: choicesSchema.optional(),
  /** What `choose` scores: the option's text, or its letter (the prompt then lists the options). */
  score: z.enum(['text', 'letter']).default('text'),
  /** Own context for each option (list column); the scored continuation is then `continuation`, equal for all. */
  contexts: path.optional(),
  continuation: template.optional(),
  gold: goldSchema.optional(),
  /** Present options in an order drawn from the row id, where the data keeps the right one in a fixed place. */
  shuffleChoices: z.boolean().default(false),
  /** The question without options, for `choose-letter`; default: the prompt without its closing `Answer:`. */
  question: template.optional(),
  /** Answer shown in shots and used as the label of text tasks. */
  target: template.optional(),
  /** All accepted answers: a list column, or templates. */
  references: choicesSchema.optional(),
  /** Text between prompt and answer in completion prompts. */
  targetDelimiter: z.string().default(' '),
  fewShot: fewShotSchema.prefault({}),
  stop: z.array(z.string().min(1)).default([]),
  generation: generationSettingsSchema.partial().omit({ stop: true }).default({}),
  parser: parserSchema.prefault({ kind: 'text' }),
  /** Turns the answer into the judged text (HumanEval: prompt + completion). Variables: the row, and `answer`. */
  assemble: template.optional(),
  /** Class labels of a classification task, in order. */
  labels: z.array(z.string().min(1)).optional(),
  /** Further spellings of a label: { positive: [pos, good] }. */
  aliases: z.record(z.string(), z.array(z.string())).optional(),
  metrics: z.array(metricUseSchema).min(1),
  /** The metric shown in the comparison table. */
  primaryMetric: z.string(),
  /** Asynchronous graders that run per sample (code execution, similarity); `judge` is added where the task has a `judge`. */
  graders: z.array(z.enum(graderNames)).default([]),
  judge: judgeSchema.optional(),
  /** Facts that metrics or graders need, by name: column path. */
  extra: z.record(z.string(), path).default({}),
};

const bodySchema = z.strictObject(bodyShape);

type WithoutDefault<Schema> = Schema extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner> ? Inner : Schema;
type VariantShape<Shape> = { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<WithoutDefault<Shape[Key]> & z.ZodType>> };

/** The members of a shape, none required and no default filled in: what is not written stays as the task has it, null takes it away. */
function variantShape<const Shape extends z.ZodRawShape>(shape: Shape): VariantShape<Shape> {
  const members = Object.entries(shape).map(([key, schema]) => {
    const bare = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
    return [key, z.optional(z.nullable(bare))];
  });
  return Object.fromEntries(members) as VariantShape<Shape>;
}

const variantSchema = z.strictObject({
  ...variantShape(bodyShape),
  fewShot: z.strictObject(variantShape(fewShotSchema.shape)).optional(),
});

export const taskDefinitionSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/u, 'lower-case letters, digits, ".", "_" and "-"'),
  version: z.string().default('1'),
  title: z.string(),
  description: z.string(),
  licence: z.string().default('unknown'),
  citation: z.string().optional(),
  /** Page of the dataset or paper. */
  source: z.string().optional(),
  groups: z.array(z.string()).default([]),
  /** Other names under which the task is found. */
  alsoKnownAs: z.array(z.string()).default([]),
  type: z.enum(taskTypes),
  dataset: z.strictObject({
    name: z.string(),
    split: z.string(),
    fewShotSplit: z.string().optional(),
    /** Dataset steps (rename, map, filter...), checked by the datasets room. */
    steps: z.array(z.json()).optional(),
  }),
  ...bodyShape,
  /** Column whose values name the parts of the task (MMLU subjects). */
  category: path.optional(),
  /** Column that groups dependent rows (questions on one passage). */
  cluster: path.optional(),
  variants: z
    .strictObject({
      native: variantSchema.optional(),
      /** Present where lm-evaluation-harness has the task. */
      lmEval: z
        .strictObject({
          /** Its name there; `{category}` stands for the category. */
          task: z.string(),
          version: z.string(),
          body: variantSchema.default({}),
        })
        .optional(),
    })
    .default({}),
});

export type TaskDefinition = z.infer<typeof taskDefinitionSchema>;
/** A task as people write it: defaults may be left out. */
export type TaskDefinitionInput = z.input<typeof taskDefinitionSchema>;
export type TaskBody = z.infer<typeof bodySchema>;
export type JudgeRule = z.infer<typeof judgeSchema>;
export type GoldRule = z.infer<typeof goldSchema>;
export type FewShotRule = z.infer<typeof fewShotSchema>;
export type ListSource = z.infer<typeof choicesSchema>;

const bodyKeys = Object.keys(bodyShape);

/**
 * The task's body under one protocol: the common part with the variant's replacements; few-shot settings are merged key by key.
 */
export function bodyOf(definition: TaskDefinition, protocol: 'native' | 'lm-eval'): TaskBody {
  const common = Object.fromEntries(Object.entries(definition).filter(([key]) => bodyKeys.includes(key)));
  const variant = (protocol === 'native' ? definition.variants.native : definition.variants.lmEval?.body) ?? {};
  const replaced = Object.fromEntries(Object.entries(variant).filter(([, value]) => value !== undefined));
  const fewShot = { ...definition.fewShot, ...((replaced['fewShot'] as object | undefined) ?? {}) };
  return bodySchema.parse(withoutNull({ ...common, ...replaced, fewShot: withoutNull(fewShot) }));
}

function withoutNull(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
