// Reads slmbench.config.(yaml|json|ts): the user's own models, tasks, metrics and folders.

import { dirname, resolve } from 'node:path';
import { loadConfigFile } from '../config/load-config-file.ts';
import { type ProjectConfig, projectConfigSchema } from '../config/run-recipe.ts';
import { validate } from '../config/validate.ts';
import type { Metric } from '../core/metric.ts';
import { type ModelEntry, modelEntrySchema } from '../core/model.ts';
import { loadUserMetrics } from './user-metrics.ts';

export interface Project {
  readonly models: readonly ModelEntry[];
  /** Task files, absolute. */
  readonly taskFiles: readonly string[];
  readonly metrics: readonly Metric[];
  readonly runs: string | undefined;
  readonly cache: string | undefined;
}

function completeEntry(entry: ProjectConfig['models'][number]): ModelEntry {
  return modelEntrySchema.parse({
    title: entry.name,
    provider: 'user',
    parameters: '?',
    quantisation: '?',
    contextLength: 4096,
    licence: 'unknown',
    ...entry,
  });
}

/** Paths in the file are relative to it. @throws ToolError `config` with positions */
export async function readProjectFile(path: string): Promise<Project> {
  const document = await loadConfigFile(path);
  const project = validate(projectConfigSchema, document.value ?? {}, document.locate, path);
  const base = dirname(path);
  return {
    models: project.models.map(completeEntry),
    taskFiles: project.tasks.map((file) => resolve(base, file)),
    metrics: await loadUserMetrics(project.metrics, base),
    runs: project.runs === undefined ? undefined : resolve(base, project.runs),
    cache: project.cache === undefined ? undefined : resolve(base, project.cache),
  };
}
