// Where things are for one command: project file, cache, runs folder, and whether connections are allowed.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadConfigFile } from '../config/load-config-file.ts';
import { type ProjectConfig, projectConfigSchema } from '../config/run-recipe.ts';
import { validate } from '../config/validate.ts';
import type { EventListener } from '../core/events.ts';
import type { Metric } from '../core/metric.ts';
import { type ModelEntry, modelEntrySchema } from '../core/model.ts';
import { cacheRoot } from '../sources/cache-root.ts';
import type { SourceContext } from '../sources/source-context.ts';
import { loadUserMetrics } from './user-metrics.ts';

export interface Workspace {
  readonly cacheDirectory: string;
  /** Folder that holds the runs. */
  readonly runsFolder: string;
  readonly offline: boolean;
  /** Models of the project file. */
  readonly userModels: readonly ModelEntry[];
  /** Task files of the project file, absolute. */
  readonly userTaskFiles: readonly string[];
  /** The user's own metrics, from the project file. */
  readonly userMetrics: readonly Metric[];
  readonly projectFile: string | null;
  readonly sources: SourceContext;
}

export interface WorkspaceOptions {
  readonly offline?: boolean | undefined;
  readonly output?: string | undefined;
  readonly listener?: EventListener | undefined;
  readonly signal?: AbortSignal | undefined;
}

const projectFileNames = [
  'slmbench.config.yaml',
  'slmbench.config.yml',
  'slmbench.config.json',
  'slmbench.config.ts',
  'slmbench.config.mjs',
];

/** The nearest project file from `folder` upwards. */
function findProjectFile(folder: string): string | null {
  for (let current = resolve(folder); ; current = dirname(current)) {
    for (const name of projectFileNames) {
      const path = join(current, name);
      if (existsSync(path)) return path;
    }
    if (dirname(current) === current) return null;
  }
}

async function readProject(path: string | null): Promise<ProjectConfig> {
  if (path === null) return projectConfigSchema.parse({});
  const document = await loadConfigFile(path);
  return validate(projectConfigSchema, document.value ?? {}, document.locate, path);
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

/** `-o x.json` names the record file, not the folder. */
export function isRecordFile(output: string | undefined): output is string {
  return output !== undefined && /\.json$/i.test(output);
}

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const projectFile = findProjectFile(process.cwd());
  const project = await readProject(projectFile);
  const base = projectFile === null ? process.cwd() : dirname(projectFile);
  const cacheDirectory = project.cache === undefined ? cacheRoot() : resolve(base, project.cache);
  const offline = options.offline === true || process.env['SLMBENCH_OFFLINE'] === '1';
  const listener = options.listener;
  return {
    cacheDirectory,
    runsFolder:
      options.output !== undefined && !isRecordFile(options.output) ? resolve(options.output) : resolve(base, project.runs ?? 'runs'),
    offline,
    userModels: project.models.map(completeEntry),
    userTaskFiles: project.tasks.map((file) => resolve(base, file)),
    userMetrics: await loadUserMetrics(project.metrics, base),
    projectFile,
    sources: {
      cacheDirectory,
      offline,
      signal: options.signal,
      onProgress:
        listener === undefined ? undefined : (progress) => listener({ kind: 'download', at: new Date().toISOString(), ...progress }),
    },
  };
}
