// Starts the comparison of quantised copies with their reference in a process of its own and gives its columns back as numbers.
import { basename, resolve } from 'node:path';
import { startEngineProcess } from './engine-process.ts';
import type { TokenFidelity } from './engine-protocol.ts';
import { locateLibrary } from './library-location.ts';
import { type LlamaOptions, resolveSettings } from './llama-settings.ts';
import { checkModelFile, explainLoadError } from './load-error.ts';

export interface FidelityInput {
  /** GGUF file that the others are compared with. */
  readonly reference: string;
  readonly candidates: readonly string[];
  readonly text: string;
  /** Tokens per window; the second half of each is scored, as llama-perplexity does. @default 512 */
  readonly windowTokens?: number | undefined;
  /** @default all windows of the text */
  readonly maxWindows?: number | undefined;
  readonly options?: LlamaOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** One value per scored token. */
export interface FidelitySeries {
  readonly referenceNll: Float64Array;
  readonly candidateNll: Float64Array;
  readonly divergence: Float64Array;
  readonly sameTop: Uint8Array;
}

export interface FidelityOutcome {
  readonly windows: number;
  readonly windowTokens: number;
  readonly candidates: readonly FidelitySeries[];
}

/**
 * Negative log-likelihoods, KL divergence and top-token agreement of each candidate, token by token.
 * @throws ToolError `data` for another vocabulary or too short a text; as loading a model otherwise
 */
export async function measureFidelity(input: FidelityInput): Promise<FidelityOutcome> {
  const [reference, ...candidates] = [input.reference, ...input.candidates].map((path) => resolve(path));
  for (const path of [reference!, ...candidates]) checkModelFile(path);
  const location = locateLibrary();
  const windowTokens = input.windowTokens ?? 512;
  const settings = resolveSettings(
    { flashAttention: 'auto', ...input.options, contextTokens: windowTokens, parallel: 1 },
    location.accelerator,
  );
  const engine = startEngineProcess();
  try {
    const result = await engine.call(
      {
        kind: 'fidelity',
        location,
        settings,
        reference: reference!,
        candidates,
        text: input.text,
        windowTokens,
        maxWindows: input.maxWindows ?? null,
      },
      { signal: input.signal, onText: (total, done) => input.onProgress?.(done, Number(total)) },
    );
    return { ...result, candidates: result.candidates.map(decode) };
  } catch (error) {
    throw explainLoadError(error, basename(reference!), engine.logLines());
  } finally {
    await engine.close();
  }
}

function decode({ referenceNll, candidateNll, divergence, sameTop }: TokenFidelity): FidelitySeries {
  return {
    referenceNll: doubles(referenceNll),
    candidateNll: doubles(candidateNll),
    divergence: doubles(divergence),
    sameTop: new Uint8Array(Buffer.from(sameTop, 'base64')),
  };
}

function doubles(text: string): Float64Array {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  return new Float64Array(bytes.buffer);
}
