// Exports the trained adapter of a recipe for use elsewhere: merged weights, a GGUF, or an Ollama Modelfile.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { openSession } from './open-session.ts';
import type { SpecialiseOptions } from './session.ts';
import { trainingWeightsOf } from './training-request.ts';

export interface ExportRequest {
  readonly kind: string;
  readonly folder: string;
  /** Type of merged GGUF weights: F16, Q8_0... */
  readonly type?: string | undefined;
}

/** @throws ToolError `not-found` before training, `integrity` for an adapter of another base, `usage` */
export async function exportRecipe(options: SpecialiseOptions, request: ExportRequest): Promise<{ readonly paths: readonly string[] }> {
  const { exportKinds, exportModel } = await import('../../training/export-model.ts');
  const kind = exportKinds.find((one) => one === request.kind);
  if (kind === undefined)
    throw new ToolError('usage', `unknown export "${request.kind}"`, { hint: suggestName(request.kind, exportKinds) });
  const session = await openSession(options);
  const { recipe, layout, workspace, definition } = session;
  const { path, kind: baseKind, digest } = await trainingWeightsOf(session);
  return await exportModel(kind, {
    base: { path, kind: baseKind, digest },
    adapterFolder: layout.forSeed(recipe.seeds[0]!).adapter,
    outputFolder: request.folder,
    name: `${recipe.task.name}-${recipe.model.name}`,
    ...(request.type === undefined ? {} : { ggufType: request.type as never }),
    modelfile: { system: definition.system, stop: definition.stop, contextTokens: recipe.test.context },
    cacheDirectory: workspace.cacheDirectory,
    signal: options.signal,
  });
}
