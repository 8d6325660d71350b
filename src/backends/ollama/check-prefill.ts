// Some Ollama builds time only the last part of a prompt: a rate that the client's own clock refutes is not passed on.
import type { Generation } from '../../core/generation.ts';
import type { StreamFacts } from '../shared/stream-recorder.ts';

/** Below this, delays of the network and of start-up explain the difference. */
const clearMs = 1000;

/**
 * Takes the server's prompt time out where the first token came more than ten times later, load time set aside.
 * @param wasAlone no other request was in flight: else the wait may be a queue
 */
export function checkPrefill(generation: Generation, wasAlone: boolean): Generation {
  const { timing, usage, raw } = generation;
  const { prefillMs, ttftMs } = timing;
  if (!wasAlone || prefillMs === null || prefillMs === undefined || ttftMs === null) return generation;
  const loadMs = ((raw as StreamFacts).serverTimings?.['load_duration'] ?? 0) / 1e6;
  const seenMs = ttftMs - loadMs;
  if (seenMs < clearMs || seenMs < 10 * prefillMs) return generation;
  const rate = usage.promptTokens === null ? '' : `, about ${Math.round((1000 * usage.promptTokens) / seenMs)} tokens a second`;
  const message = `server_prefill_time_inconsistent: Ollama names ${prefillMs.toFixed(1)} ms for the prompt, the first token came after ${Math.round(seenMs)} ms${rate}`;
  return { ...generation, timing: { ...timing, prefillMs: null }, warnings: [...generation.warnings, { kind: 'estimate', message }] };
}
