// How far quantised copies of a model stray from it: all loaded side by side, the same windows through each, sums per token kept, no logits stored.
import { ToolError } from '../../core/errors.ts';
import type { EngineResults, EngineTask, TokenFidelity } from './engine-protocol.ts';
import { summariseRow } from './log-softmax.ts';
import type { NativeApi } from './native-api.ts';
import { type LoadedModel, type LogitsRows, openModel } from './open-model.ts';
import { llamaPerplexityWindows, type RollingWindow } from './rolling-windows.ts';

type FidelityTask = Extract<EngineTask, { kind: 'fidelity' }>;

/** Terms of the sum below exp(-40) of the largest are left out. */
const smallestExponent = -40;

class FidelityColumns {
  readonly referenceNll: number[] = [];
  readonly candidateNll: number[] = [];
  readonly divergence: number[] = [];
  readonly sameTop: number[] = [];

  add(reference: Float32Array, candidate: Float32Array, target: number): void {
    const p = summariseRow(reference);
    const q = summariseRow(candidate);
    this.referenceNll.push(p.logSumExp - reference[target]!);
    this.candidateNll.push(q.logSumExp - candidate[target]!);
    this.divergence.push(divergenceOf(reference, p.logSumExp, candidate, q.logSumExp));
    this.sameTop.push(p.argmax === q.argmax ? 1 : 0);
  }

  encode(): TokenFidelity {
    if (this.candidateNll.some(Number.isNaN) || this.referenceNll.some(Number.isNaN)) {
      throw new ToolError('backend', 'a model gave logits that are not numbers; the file or the compute backend is broken');
    }
    const doubles = (values: readonly number[]) => Buffer.from(Float64Array.from(values).buffer).toString('base64');
    return {
      tokens: this.divergence.length,
      referenceNll: doubles(this.referenceNll),
      candidateNll: doubles(this.candidateNll),
      divergence: doubles(this.divergence),
      sameTop: Buffer.from(this.sameTop).toString('base64'),
    };
  }
}

/** KL(p || q) from raw logits and their normalisers, nats; rounding below zero becomes zero. */
export function divergenceOf(p: Float32Array, pSum: number, q: Float32Array, qSum: number): number {
  let total = 0;
  const shift = qSum - pSum;
  for (let index = 0; index < p.length; index++) {
    const logP = p[index]! - pSum;
    if (logP > smallestExponent) total += Math.exp(logP) * (p[index]! - q[index]! + shift);
  }
  return Math.max(0, total);
}

/** @throws ToolError `data` where the models do not share a vocabulary, `memory`, `integrity` or `unsupported` */
export function runFidelity(
  native: NativeApi,
  task: FidelityTask,
  onProgress: (done: number, total: number) => void,
): EngineResults['fidelity'] {
  const reference = openModel(native, task.reference, task.settings);
  const tokens = reference.vocabulary.encode([{ kind: 'data', text: task.text }]);
  const candidates = task.candidates.map((path) => {
    const model = openModel(native, path, task.settings);
    refuseOtherVocabulary(reference, model, path, tokens, task.text);
    return model;
  });
  const windows = windowsOf(reference, tokens, task);
  const columns = candidates.map(() => new FidelityColumns());
  windows.forEach((window, index) => {
    compareWindow([reference, ...candidates], window, columns);
    onProgress(index + 1, windows.length);
  });
  return { windows: windows.length, windowTokens: task.windowTokens, candidates: columns.map((column) => column.encode()) };
}

function refuseOtherVocabulary(
  reference: LoadedModel,
  candidate: LoadedModel,
  path: string,
  tokens: readonly number[],
  text: string,
): void {
  const own = candidate.vocabulary.encode([{ kind: 'data', text }]);
  if (
    candidate.vocabulary.size === reference.vocabulary.size &&
    own.length === tokens.length &&
    own.every((token, index) => token === tokens[index])
  )
    return;
  throw new ToolError('data', `${path} has another vocabulary than the reference`, {
    hint: 'KL divergence compares quantisations of one model; across models use bits per byte',
  });
}

function windowsOf(model: LoadedModel, tokens: readonly number[], task: FidelityTask): readonly RollingWindow[] {
  const { addsBos, bos } = model.vocabulary;
  const whole = addsBos ? [bos!, ...tokens] : tokens;
  const windows = llamaPerplexityWindows(whole, addsBos ? bos : null, task.windowTokens);
  if (windows.length === 0) {
    throw new ToolError('data', `the text has ${whole.length} tokens, too few for one window of ${task.windowTokens}`);
  }
  return windows.slice(0, task.maxWindows ?? windows.length);
}

/** The logits of all models at one position are in memory at the same time, each in its own context's buffer. */
function compareWindow(models: readonly LoadedModel[], window: RollingWindow, columns: readonly FidelityColumns[]): void {
  const reads = Math.min(...models.map((model) => model.maxOutputs));
  const capacity = Math.min(...models.map((model) => model.batch.capacity));
  let done = 0;
  let waiting = 0;
  const flush = () => {
    if (models[0]!.batch.size === 0) return;
    const rows: LogitsRows[] = models.map((model) => model.decode());
    for (let row = 0; row < waiting; row++) {
      const target = window.targets[done++]!;
      for (const [index, column] of columns.entries()) column.add(rows[0]!(row), rows[index + 1]!(row), target);
    }
    waiting = 0;
  };
  // The last token predicts nothing here, but with it the batch has llama-perplexity's shape, which moves quantised scores a little.
  for (const [position, token] of [...window.input, window.targets.at(-1)!].entries()) {
    const wanted = position >= window.firstRead && position < window.firstRead + window.targets.length;
    if (models[0]!.batch.size === capacity || (wanted && waiting === reads)) flush();
    for (const model of models) model.batch.add(token, position, [0], wanted);
    if (wanted) waiting++;
  }
  flush();
  for (const model of models) model.native.llama.memory_seq_rm(model.memory, 0, -1, -1);
}
