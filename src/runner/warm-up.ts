// One request of the measured shape whose answer is thrown away, so that the first measured one is not the cold one.
import type { Backend } from '../core/ports/backend.ts';
import type { ModelRequest } from '../core/task.ts';
import { askModel } from './ask-model.ts';
import type { RunContext } from './run-context.ts';

/** Duration of the warm-up, ms; null where none is due. A failure is left for the first sample to meet. */
export async function warmUp(
  { input, stopNow }: RunContext,
  backend: Backend,
  request: ModelRequest,
  warm: Set<ModelRequest['kind']>,
): Promise<number | null> {
  // A rolling text is as long as a document: warming up with one would double the cost of a short task.
  if (request.kind === 'rolling' || warm.has(request.kind)) return null;
  warm.add(request.kind);
  const { clock } = input;
  const startMs = clock.nowMs();
  await askModel(request, { backend, clock, retry: { attempts: 1, firstPauseMs: 0 }, stopNow, onFailure: () => undefined });
  return clock.nowMs() - startMs;
}
