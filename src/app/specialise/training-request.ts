// What a recipe asks of a trainer: base weights, examples, folders and settings.
import { resolveModel } from '../../backends/resolve-model.ts';
import { directoryDigest } from '../../backends/transformers/directory-digest.ts';
import type { TrainingSettings } from '../../config/specialise-recipe.ts';
import { ToolError } from '../../core/errors.ts';
import type { TrainingRequestInput } from '../../training/training-request.ts';
import { type CheckedExample, checkServedPrompts } from './check-served-prompts.ts';
import type { SeedLayout } from './layout.ts';
import type { SpecialiseSession } from './session.ts';
import type { ServedExample } from './training-examples.ts';

export interface TrainingWeights {
  readonly kind: 'gguf' | 'directory';
  readonly path: string;
  /** sha256 of a GGUF, or of the weight files of a folder. */
  readonly digest: string;
}

/** The weights that are trained: `model.weights`, else the served file itself. @throws ToolError `unsupported` without local weights */
export async function trainingWeightsOf(session: SpecialiseSession): Promise<TrainingWeights> {
  const { recipe, workspace } = session;
  const model =
    recipe.model.weights === undefined
      ? session.model
      : await resolveModel(recipe.model.weights, { ...workspace.sources, userEntries: workspace.userModels });
  const { path, backendKind, facts } = model;
  if (path === null || (backendKind !== 'llama' && backendKind !== 'transformers')) {
    throw new ToolError('unsupported', `${model.reference} has no weights on this machine to train`, {
      hint: 'name a GGUF file or a folder of safetensors as model.weights',
    });
  }
  return {
    kind: backendKind === 'llama' ? 'gguf' : 'directory',
    path,
    digest: facts.digest ?? (await directoryDigest(path, workspace.cacheDirectory)),
  };
}

/** The request, in the words of the trainer. */
export async function toTrainingRequest(
  session: SpecialiseSession,
  layout: SeedLayout,
  examples: readonly ServedExample[],
  validation: readonly ServedExample[],
): Promise<TrainingRequestInput> {
  const weights = await trainingWeightsOf(session);
  const { path, kind, digest } = weights;
  return {
    base: { kind, path, digest },
    examples: (await checkServedPrompts(session, examples)).map(plain),
    validation: validation.map(plain),
    adapterFolder: layout.adapter,
    checkpointFolder: layout.checkpoints,
    seed: layout.seed,
    settings: withoutUndefined(session.recipe.training as TrainingSettings),
  };
}

type RequestExample = TrainingRequestInput['examples'][number];

function plain({ promptParts, ...example }: CheckedExample): RequestExample {
  return { ...example, ...(promptParts === undefined ? {} : { promptParts: promptParts.map((part) => ({ ...part })) }) };
}

function withoutUndefined(settings: TrainingSettings): TrainingRequestInput['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
