// What a submitted run carries to its workers: the resolved recipe and where its files are. No secrets: those stay in environments.
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { parseModelReference } from '../../backends/model-reference.ts';
import { runRecipeSchema } from '../../config/run-recipe.ts';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { PreparedEvaluation } from '../evaluate-request.ts';
import type { EvaluationRequest } from '../evaluation-request.ts';
import { folderOfRecipe } from '../user-metrics.ts';

const modelUseSchema = z.strictObject({ reference: z.string(), key: z.string().optional(), adapters: z.array(z.string()) });

export const submissionSchema = z.strictObject({
  schema: z.literal('slmbench/submission/1'),
  recipe: runRecipeSchema,
  /** How to resolve each model of the plan, by its key. */
  models: z.record(z.string(), modelUseSchema),
  dataFile: z.strictObject({
    taskType: z.string().optional(),
    columns: z.array(z.string()),
    split: z.string().optional(),
    labels: z.array(z.string()).optional(),
    prompt: z.string().optional(),
    metrics: z.array(z.string()).optional(),
  }),
  name: z.string().nullable(),
  command: z.string(),
});
export type Submission = z.infer<typeof submissionSchema>;

/** Files are named by absolute paths: a worker starts in another folder, often on another machine with the same share. */
function absoluteFile(name: string): string {
  return existsSync(name) ? resolve(name) : name;
}

function absoluteModel(reference: string, names: ReadonlySet<string>): string {
  const parsed = parseModelReference(reference, names);
  switch (parsed.kind) {
    case 'file':
      return resolve(parsed.path);
    case 'scripted':
      return `scripted:${resolve(parsed.path)}`;
    case 'transformers':
      return `transformers:${resolve(parsed.path)}`;
    default:
      return reference;
  }
}

function absoluteAdapter(text: string): string {
  const match = /^(.*?)(=[^=/\\]+)?$/.exec(text)!;
  return `${absoluteFile(match[1]!)}${match[2] ?? ''}`;
}

/** @throws ToolError `usage` for tasks and metrics made in code, which cannot travel */
export function makeSubmission(prepared: PreparedEvaluation, request: EvaluationRequest, names: ReadonlySet<string>): Submission {
  if ((request.tasksInCode?.length ?? 0) > 0 || (request.userMetrics?.length ?? 0) > 0) {
    throw new ToolError('usage', 'tasks and metrics made in code cannot be sent to workers', {
      hint: 'write them as task and metric files',
    });
  }
  const { recipe, models } = prepared;
  const folder = folderOfRecipe(request.configFile);
  const { taskType, columns, split, labels, prompt, metrics } = request.dataFile;
  return {
    schema: 'slmbench/submission/1',
    recipe: {
      ...recipe,
      tasks: recipe.tasks.map((use) => (typeof use === 'string' ? absoluteFile(use) : { ...use, name: absoluteFile(use.name) })),
      metricFiles: recipe.metricFiles.map((file) => (isAbsolute(file) ? file : resolve(folder, file))),
    },
    models: Object.fromEntries(
      [...models.uses].map(([key, { reference, adapters }]) => [
        key,
        { reference: absoluteModel(reference, names), key, adapters: adapters.map(absoluteAdapter) },
      ]),
    ),
    dataFile: {
      columns: [...columns],
      ...(taskType === undefined ? {} : { taskType }),
      ...(split === undefined ? {} : { split }),
      ...(labels === undefined ? {} : { labels: [...labels] }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(metrics === undefined ? {} : { metrics: [...metrics] }),
    },
    name: request.name ?? recipe.name ?? null,
    command: request.commandLine,
  };
}

/** @throws ToolError `unsupported` for a submission of another version */
export function parseSubmission(text: string): Submission {
  const value: unknown = JSON.parse(text);
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (schema !== 'slmbench/submission/1') {
    throw new ToolError('unsupported', `this run was submitted as ${String(schema)}; this slmbench reads slmbench/submission/1`, {
      hint: 'use the version of slmbench that submitted it',
    });
  }
  try {
    return submissionSchema.parse(value);
  } catch (cause) {
    throw new ToolError('integrity', `the submission is damaged: ${messageOf(cause)}`, { cause });
  }
}
