// Rolling log-likelihood of a text: every window from an empty cache, logits at every scored position.
import { ToolError } from '../../core/errors.ts';
import type { EngineTask } from './engine-protocol.ts';
import { summariseRow } from './log-softmax.ts';
import { cpuMsSince, type LoadedModel } from './open-model.ts';
import { llamaPerplexityWindows, lmEvalWindows, type RollingWindow, stridedWindows } from './rolling-windows.ts';

type RollingTask = Extract<EngineTask, { kind: 'rolling' }>;

/** Cuts the text; nothing is evaluated yet. */
export function planRolling(model: LoadedModel, task: RollingTask) {
  const { vocabulary } = model;
  const windowTokens = task.windowTokens ?? model.contextTokens;
  const strideTokens = task.windowing === 'strided' ? (task.strideTokens ?? Math.max(1, Math.floor(windowTokens / 2))) : windowTokens;
  if (windowTokens < 2 || windowTokens > model.contextTokens) {
    throw new ToolError('context-overflow', `a window of ${windowTokens} tokens does not fit the context of ${model.contextTokens}`);
  }
  if (strideTokens < 1 || strideTokens > windowTokens) {
    throw new ToolError('unsupported', `a stride of ${strideTokens} tokens needs a window at least as long (${windowTokens})`);
  }
  const tokens = vocabulary.encode([{ kind: 'data', text: task.text }]);
  const prefix = vocabulary.bos ?? vocabulary.eos;
  const { windows, bosPolicy } = cut(task.windowing, tokens, windowTokens, strideTokens, vocabulary.addsBos, prefix);
  if (windows.length === 0) {
    throw new ToolError('unsupported', `the text has ${tokens.length} tokens, too few for one ${task.windowing} window of ${windowTokens}`);
  }
  return { windows, windowTokens, strideTokens, bosPolicy, promptTokens: tokens.length };
}

function cut(
  windowing: RollingTask['windowing'],
  tokens: number[],
  length: number,
  stride: number,
  addsBos: boolean,
  prefix: number | null,
): { readonly windows: RollingWindow[]; readonly bosPolicy: 'model' | 'forced' | 'none' } {
  if (windowing === 'llama-perplexity') {
    const whole = addsBos ? [prefix!, ...tokens] : tokens;
    return { windows: llamaPerplexityWindows(whole, addsBos ? prefix : null, length), bosPolicy: addsBos ? 'forced' : 'none' };
  }
  if (prefix === null)
    throw new ToolError('unsupported', 'rolling log-likelihood needs a BOS or EOS token, and this vocabulary has neither');
  const windows = windowing === 'lm-eval' ? lmEvalWindows(tokens, prefix, length) : stridedWindows(tokens, prefix, length, stride);
  return { windows, bosPolicy: 'model' };
}

/** Evaluates one window in an empty sequence and returns the log-probability of each target. */
export function scoreWindow(model: LoadedModel, window: RollingWindow, sequence: number): number[] {
  const { batch, counters } = model;
  const logprobs: number[] = [];
  let reads = 0;
  const flush = () => {
    if (batch.size === 0) return;
    const rows = model.decode();
    const started = process.cpuUsage();
    for (let row = 0; row < reads; row++) {
      const logits = rows(row);
      logprobs.push(logits[window.targets[logprobs.length]!]! - summariseRow(logits).logSumExp);
    }
    counters.readCpuMs += cpuMsSince(started);
    reads = 0;
  };
  for (const [position, token] of window.input.entries()) {
    const wantsLogits = position >= window.firstRead && position < window.firstRead + window.targets.length;
    if (batch.size === batch.capacity || (wantsLogits && reads === model.maxOutputs)) flush();
    batch.add(token, position, [sequence], wantsLogits);
    if (wantsLogits) reads++;
  }
  flush();
  model.native.llama.memory_seq_rm(model.memory, sequence, -1, -1);
  if (logprobs.some(Number.isNaN)) {
    throw new ToolError('backend', 'the model gave logits that are not numbers; the file or the compute backend is broken');
  }
  return logprobs;
}
