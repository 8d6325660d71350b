// Where things are for one command: project file, cache, runs folder, and whether connections are allowed.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { EventListener } from '../core/events.ts';
import type { Metric } from '../core/metric.ts';
import type { ModelEntry } from '../core/model.ts';
import { cacheRoot } from '../sources/cache-root.ts';
import type { SourceContext } from '../sources/source-context.ts';
import type { Project } from './project-file.ts';

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
  /** `-o`: the folder that holds runs, or a record file (then the default folder is used). */
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
const noProject: Project = { models: [], taskFiles: [], metrics: [], runs: undefined, cache: undefined };

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

/** The schema library loads only where there is a file to check: listing must stay quick. */
async function readProject(path: string | null): Promise<Project> {
  if (path === null) return noProject;
  const { readProjectFile } = await import('./project-file.ts');
  return readProjectFile(path);
}

/** `-o x.json` names the record file, not the folder. */
export function isRecordFile(output: string | undefined): output is string {
  return output !== undefined && /\.json$/i.test(output);
}

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const projectFile = findProjectFile(process.cwd());
  const project = await readProject(projectFile);
  const cacheDirectory = project.cache ?? cacheRoot();
  const offline = options.offline === true || process.env['SLMBENCH_OFFLINE'] === '1';
  const { listener, output } = options;
  return {
    cacheDirectory,
    runsFolder:
      output !== undefined && !isRecordFile(output)
        ? resolve(output)
        : (project.runs ?? resolve(projectFile === null ? process.cwd() : dirname(projectFile), 'runs')),
    offline,
    userModels: project.models,
    userTaskFiles: project.taskFiles,
    userMetrics: project.metrics,
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
