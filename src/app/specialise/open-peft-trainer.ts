// The real trainer, loaded only when something has to be trained.
import { ToolError } from '../../core/errors.ts';
import type { Trainer } from '../../core/ports/trainer.ts';
import type { SpecialiseSession } from './session.ts';

export async function openPeftTrainer(_session: SpecialiseSession): Promise<Trainer> {
  throw new ToolError('unavailable', 'this build has no trainer');
}
