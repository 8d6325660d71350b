// The model and the engine for the speed benchmarks: SLMBENCH_TEST_MODEL, one thread.
import { openLlamaBackend } from '../../src/backends/llama/llama-backend.ts';
import type { LlamaOptions } from '../../src/backends/llama/llama-settings.ts';
import { unknownModelFacts } from '../../src/core/model.ts';
import type { Backend } from '../../src/core/ports/backend.ts';

export function speedModelPath(): string {
  const path = process.env['SLMBENCH_TEST_MODEL'];
  if (path === undefined || path === '') throw new Error('set SLMBENCH_TEST_MODEL to a GGUF file (the goals are stated for SmolLM2-135M)');
  return path;
}

export function openSpeedModel(options: LlamaOptions = {}): Promise<Backend> {
  return openLlamaBackend({ path: speedModelPath(), facts: unknownModelFacts, options: { threads: 1, ...options } });
}
