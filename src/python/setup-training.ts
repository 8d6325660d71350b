// The managed Python environment as others use it: set it up, describe it (doctor), or ask for its Python.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolError } from '../core/errors.ts';
import { findPython, type PythonInterpreter } from './find-python.ts';
import { findUv } from './find-uv.ts';
import { environmentFolder, gigabytes, type InstallProgress, installEnvironment, isComplete, pythonIn } from './install-environment.ts';
import { withInstallLock } from './install-lock.ts';
import { chooseVariant, type EnvironmentVariant, type Requirements, readRequirements } from './worker-files.ts';

export interface SetupOptions {
  /** Root of slmbench's cache. */
  readonly cacheDirectory: string;
  /** @default chosen by the machine (SLMBENCH_TORCH, nvidia-smi) */
  readonly variant?: EnvironmentVariant | undefined;
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

export interface TrainingEnvironment {
  readonly folder: string;
  /** Python of the environment. */
  readonly python: string;
  readonly pythonVersion: string;
  readonly variant: EnvironmentVariant;
  /** sha256 of the requirements file that it was made from. */
  readonly requirementsDigest: string;
  readonly packages: Readonly<Record<string, string>>;
}

/**
 * The environment, made first where it does not exist (about 4 GB on a machine without a GPU).
 * A process killed while installing leaves nothing that is ever used.
 * @throws ToolError `unavailable` (no fitting Python, no index), `storage`, `integrity`, `interrupted`
 */
export async function setupTraining(options: SetupOptions): Promise<TrainingEnvironment> {
  const { cacheDirectory, signal, onProgress } = options;
  const plan = await planOf(options);
  const ready = await readEnvironment(plan);
  if (ready !== null) return ready;
  const note = (message: string) => onProgress?.({ kind: 'note', message });
  await withInstallLock(
    `${plan.folder}.lock`,
    async () => {
      // Another process may have finished while this one waited.
      if (await isComplete(plan.folder)) return;
      const uv = await findUv(plan.python.executable, cacheDirectory, { signal, onNote: note });
      await installEnvironment({ ...options, uv, python: plan.python, requirements: plan.requirements });
    },
    { signal, onWait: (holder) => note(`waiting: ${holder} is installing the same environment`) },
  );
  const made = await readEnvironment(plan);
  if (made === null)
    throw new ToolError('integrity', `the environment ${plan.folder} cannot be used`, { hint: 'delete the folder and set up again' });
  return made;
}

/**
 * The environment, without making it.
 * @throws ToolError `unavailable` that names `slmbench setup training`
 */
export async function requireTraining(options: SetupOptions): Promise<TrainingEnvironment> {
  const plan = await planOf(options);
  const ready = await readEnvironment(plan);
  if (ready !== null) return ready;
  throw new ToolError('unavailable', 'the Python environment for training is not set up', {
    hint: `run \`slmbench setup training\` once (about ${gigabytes(plan.requirements.diskBytes)} on disk)`,
  });
}

export type TrainingState =
  | { readonly kind: 'ready'; readonly environment: TrainingEnvironment }
  | { readonly kind: 'absent'; readonly variant: EnvironmentVariant; readonly pythonVersion: string; readonly diskBytes: number }
  | { readonly kind: 'no-python'; readonly message: string; readonly hint: string | undefined };

/** What `slmbench doctor` shows; installs and changes nothing. */
export async function describeTraining(options: SetupOptions): Promise<TrainingState> {
  try {
    const plan = await planOf(options);
    const environment = await readEnvironment(plan);
    if (environment !== null) return { kind: 'ready', environment };
    return {
      kind: 'absent',
      variant: plan.requirements.variant,
      pythonVersion: plan.python.version,
      diskBytes: plan.requirements.diskBytes,
    };
  } catch (thrown) {
    return { kind: 'no-python', message: messageOf(thrown), hint: ToolError.isInstance(thrown) ? thrown.hint : undefined };
  }
}

interface Plan {
  readonly python: PythonInterpreter;
  readonly requirements: Requirements;
  readonly folder: string;
}

async function planOf({ cacheDirectory, variant }: SetupOptions): Promise<Plan> {
  const python = await findPython();
  const requirements = await readRequirements(variant ?? (await chooseVariant()));
  return { python, requirements, folder: environmentFolder(cacheDirectory, requirements, python) };
}

async function readEnvironment({ folder, requirements }: Plan): Promise<TrainingEnvironment | null> {
  if (!(await isComplete(folder))) return null;
  const marker = JSON.parse(await readFile(join(folder, 'slmbench-environment.json'), 'utf8')) as {
    readonly python: string;
    readonly packages: Record<string, string>;
  };
  return {
    folder,
    python: pythonIn(folder),
    pythonVersion: marker.python,
    variant: requirements.variant,
    requirementsDigest: requirements.digest,
    packages: marker.packages,
  };
}
