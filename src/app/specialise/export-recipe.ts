// Exports the trained adapter of a recipe for use elsewhere: merged weights, a GGUF, or an Ollama Modelfile.
import { rm } from 'node:fs/promises';
import { quantisationTypes } from '../../backends/llama/quantize-model.ts';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { makeWritable } from '../../store/files/make-writable.ts';
import { trainedFolder } from './open-recipe-model.ts';
import { openSession } from './open-session.ts';
import type { SpecialiseOptions } from './session.ts';
import { trainingWeightsOf } from './training-request.ts';

export interface ExportRequest {
  readonly kind: string;
  readonly folder: string;
  /** Type of merged GGUF weights: F16, Q8_0, Q4_K_M... */
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
  const type = mergedType(request.type);
  const direct = type === undefined || isDirect(type);
  const adapter = await trainedFolder(layout.forSeed(recipe.seeds[0]!).adapter, session.loaded.file);
  await makeWritable(request.folder, 'export folder');
  const exported = await exportModel(kind, {
    base: { path, kind: baseKind, digest },
    adapterFolder: adapter,
    outputFolder: request.folder,
    name: `${recipe.task.name}-${recipe.model.name}`,
    ...(type !== undefined && isDirect(type) ? { ggufType: type } : {}),
    modelfile: {
      system: definition.system,
      stop: definition.stop,
      contextTokens: recipe.test.context,
      maxTokens: recipe.generation.maxTokens,
    },
    cacheDirectory: workspace.cacheDirectory,
    signal: options.signal,
  });
  if (direct || kind !== 'gguf') return exported;
  const { quantizeModel } = await import('../../backends/llama/quantize-model.ts');
  const [full, ...others] = exported.paths as [string, ...string[]];
  const quantised = full.replace(/F16\.gguf$/u, `${type}.gguf`);
  await quantizeModel(full, quantised, type, { threads: recipe.test.threads });
  await rm(full);
  return { paths: [quantised, ...others] };
}

const directTypes = ['F32', 'F16', 'Q8_0'] as const;

function isDirect(type: string): type is (typeof directTypes)[number] {
  return (directTypes as readonly string[]).includes(type);
}

/** @throws ToolError `usage` before anything is written */
function mergedType(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  const name = type.toUpperCase();
  if (Object.hasOwn(quantisationTypes, name)) return name;
  throw new ToolError('usage', `unknown type of weights "${type}"`, { hint: suggestName(name, Object.keys(quantisationTypes)) });
}
