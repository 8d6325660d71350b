// Makes the Python environment for training where it is missing.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { setupTraining, type TrainingEnvironment } from '../../python/setup-training.ts';
import { environmentVariants } from '../../python/worker-files.ts';
import { openWorkspace } from '../workspace.ts';

export interface SetUpOptions {
  readonly variant?: string | undefined;
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onMessage: (message: string) => void;
}

export async function setUpTraining({ variant, offline, signal, onMessage }: SetUpOptions): Promise<TrainingEnvironment> {
  const known = environmentVariants.find((one) => one === variant);
  if (variant !== undefined && known === undefined)
    throw new ToolError('usage', `--variant ${variant}: expected cpu or cuda`, { hint: suggestName(variant, environmentVariants) });
  const workspace = await openWorkspace({ offline });
  return await setupTraining({
    cacheDirectory: workspace.cacheDirectory,
    variant: known,
    offline: workspace.offline,
    signal,
    onProgress: ({ message }) => onMessage(message),
  });
}
