// The user's own metrics: TypeScript or JavaScript files that export what `defineMetric` made.
import { dirname, isAbsolute, resolve } from 'node:path';
import { loadConfigFile } from '../config/load-config-file.ts';
import { ToolError } from '../core/errors.ts';
import type { Metric } from '../core/metric.ts';

function isMetric(value: unknown): value is Metric {
  const metric = value as Partial<Metric> | null;
  return (
    typeof metric === 'object' &&
    metric !== null &&
    typeof metric.name === 'string' &&
    typeof metric.version === 'string' &&
    typeof metric.create === 'function'
  );
}

/** Loads metric files; a path is relative to the file that names it. @throws ToolError `config` */
export async function loadUserMetrics(files: readonly string[], relativeTo: string): Promise<Metric[]> {
  const metrics: Metric[] = [];
  for (const file of files) {
    const path = isAbsolute(file) ? file : resolve(relativeTo, file);
    if (!/\.[cm]?[jt]s$/.test(path))
      throw new ToolError('config', `${file} is not a metric file`, {
        hint: 'expected a .ts or .js file whose default export is defineMetric({...})',
      });
    const { value } = await loadConfigFile(path);
    const exported = Array.isArray(value) ? value : [value];
    if (exported.length === 0 || !exported.every(isMetric)) {
      throw new ToolError('config', `${path} does not export a metric`, {
        hint: 'export default defineMetric({ name, score }) or a list of them',
      });
    }
    metrics.push(...exported);
  }
  return metrics;
}

/** Folder that the paths of a recipe file are relative to. */
export function folderOfRecipe(configFile: string | undefined): string {
  return configFile === undefined ? process.cwd() : dirname(resolve(configFile));
}
