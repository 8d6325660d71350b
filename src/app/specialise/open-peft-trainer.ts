// The real trainer, loaded only when something has to be trained; its Python environment is made on first use.
import type { Trainer } from '../../core/ports/trainer.ts';
import type { SpecialiseSession } from './session.ts';

/** @throws ToolError `unavailable` without Python, or offline without the environment */
export async function openPeftTrainer({ workspace, note }: SpecialiseSession): Promise<Trainer> {
  const { createPeftTrainer } = await import('../../training/peft-trainer.ts');
  return createPeftTrainer({
    cacheDirectory: workspace.cacheDirectory,
    installs: !workspace.offline,
    offline: workspace.offline,
    onInstall: (progress) => note(`training environment: ${progress.message}`),
  });
}
