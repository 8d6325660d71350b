// Writes a GGUF file in another quantisation (llama_model_quantize).
import { ToolError } from '../../core/errors.ts';
import type { EngineResults, EngineTask } from './engine-protocol.ts';
import type { NativeApi } from './native-api.ts';

export function runQuantize({ llama }: NativeApi, task: Extract<EngineTask, { kind: 'quantize' }>): EngineResults['quantize'] {
  const status = llama.model_quantize(task.input, task.output, {
    ...llama.model_quantize_default_params(),
    ftype: task.fileType,
    nthread: task.threads,
    allow_requantize: task.allowRequantize,
  });
  if (status !== 0) throw new ToolError('backend', `llama.cpp could not quantise ${task.input}`);
  return { ok: true };
}
