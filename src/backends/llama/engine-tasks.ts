// Turns each task that arrives into work for the engine's queues, and its outcome into the result message.
import { ToolError } from '../../core/errors.ts';
import { runBench } from './bench-job.ts';
import { encodePair, type TokenPair } from './continuation-tokens.ts';
import { type EngineResults, type EngineTask, sharedClockMs, type TextPart } from './engine-protocol.ts';
import type { GenerateJob } from './generate-jobs.ts';
import type { LoadedModel } from './open-model.ts';
import { planRolling, scoreWindow } from './rolling-job.ts';
import type { ScoreJob } from './score-jobs.ts';

export interface TaskContext {
  readonly handedOverAtMs: number;
  readonly signal: AbortSignal;
  readonly onText: (text: string, timeMs: number) => void;
}

/** A piece of work that needs the model to itself (rolling windows, bench). */
export interface ExclusiveJob {
  readonly step: () => boolean;
  readonly reject: (error: unknown) => void;
}

/** What waits for the engine. */
export interface EngineQueues {
  readonly model: LoadedModel;
  readonly scores: ScoreJob[];
  readonly waiting: GenerateJob[];
  readonly exclusive: ExclusiveJob[];
  readonly schedule: () => void;
  readonly forget: () => void;
}

export async function startTask(queues: EngineQueues, task: EngineTask, context: TaskContext): Promise<unknown> {
  const { model } = queues;
  switch (task.kind) {
    case 'score':
      return runScore(queues, task, context);
    case 'generate':
      return runGenerate(queues, task, context);
    case 'rolling':
      return runRolling(queues, task, context);
    case 'bench':
      return runBenchAlone(queues, task, context);
    case 'render':
      return renderPrompt(model, task.prompt);
    case 'counters':
      return readCounters(model);
    default:
      throw new ToolError('internal', `the engine has no task "${task.kind}" once a model is loaded`);
  }
}

function runScore(
  { model, scores, schedule }: EngineQueues,
  task: Extract<EngineTask, { kind: 'score' }>,
  context: TaskContext,
): Promise<EngineResults['score']> {
  const pairs = encodeChoices(model, task);
  for (const { context: before, continuation } of pairs)
    refuseOverflow(model, before.length + continuation.length - 1, 'the prompt and the choice');
  const contexts = new Map(pairs.map((pair) => [pair.context, pair.context.length]));
  const promptTokens =
    [...contexts.values()].reduce((sum, length) => sum + length, 0) + pairs.reduce((sum, pair) => sum + pair.continuation.length, 0);
  return new Promise((resolve, reject) => {
    const job: ScoreJob = {
      pairs,
      results: pairs.map(({ continuation }) => ({ logprobs: new Float64Array(continuation.length), greedy: true })),
      cursor: 0,
      computedTokens: 0,
      computeMs: 0,
      reject,
      resolve: (choices) => {
        resolve({
          choices,
          usage: {
            promptTokens,
            cachedTokens: Math.max(0, promptTokens - pairs.length - job.computedTokens),
            computedTokens: job.computedTokens,
          },
          queuedMs: Math.max(0, sharedClockMs() - job.computeMs - context.handedOverAtMs),
          totalMs: job.computeMs,
        });
      },
    };
    context.signal.addEventListener('abort', () => {
      const place = scores.indexOf(job);
      if (place >= 0) scores.splice(place, 1);
      reject(cancelledError());
    });
    scores.push(job);
    schedule();
  });
}

function encodeChoices({ vocabulary }: LoadedModel, task: Extract<EngineTask, { kind: 'score' }>): TokenPair[] {
  const known = new Map<string, readonly number[]>();
  const encodeContext = (parts: readonly TextPart[]) => {
    const key = JSON.stringify(parts);
    const tokens = known.get(key) ?? vocabulary.encodePrompt(parts);
    known.set(key, tokens);
    return tokens;
  };
  return task.choices.map((choice) => encodePair(vocabulary, choice.prompt ?? task.prompt, choice.continuation, encodeContext));
}

function runGenerate(
  { model, waiting, schedule }: EngineQueues,
  task: Extract<EngineTask, { kind: 'generate' }>,
  context: TaskContext,
): Promise<EngineResults['generate']> {
  const prompt = model.vocabulary.encodePrompt(task.prompt);
  if (prompt.length === 0) {
    const prefix = model.vocabulary.bos ?? model.vocabulary.eos;
    if (prefix === null) throw new ToolError('unsupported', 'cannot generate from an empty prompt: the vocabulary has no BOS or EOS token');
    prompt.push(prefix);
  }
  refuseOverflow(
    model,
    prompt.length + task.sampling.maxTokens,
    `the prompt (${prompt.length} tokens) and --max-tokens ${task.sampling.maxTokens}`,
  );
  return new Promise((resolve, reject) => {
    const job: GenerateJob = {
      prompt,
      sampling: task.sampling,
      onText: task.stream ? context.onText : null,
      cancelled: false,
      reject,
      resolve: ({ cachedTokens, computedTokens, startedAtMs, ...finished }) =>
        resolve({
          ...finished,
          usage: { promptTokens: prompt.length, cachedTokens, computedTokens },
          queuedMs: Math.max(0, sharedClockMs() - (performance.now() - startedAtMs) - context.handedOverAtMs),
        }),
    };
    context.signal.addEventListener('abort', () => {
      job.cancelled = true;
    });
    waiting.push(job);
    schedule();
  });
}

function runRolling(
  queues: EngineQueues,
  task: Extract<EngineTask, { kind: 'rolling' }>,
  context: TaskContext,
): Promise<EngineResults['rolling']> {
  const { model } = queues;
  const { windows, promptTokens, ...plan } = planRolling(model, task);
  const before = model.counters.computedTokens;
  const tokenLogprobs: number[] = [];
  let next = 0;
  let startedAtMs = 0;
  return new Promise((resolve, reject) => {
    const step = () => {
      if (context.signal.aborted) {
        reject(cancelledError());
        return true;
      }
      if (next === 0) {
        queues.forget();
        startedAtMs = performance.now();
      }
      tokenLogprobs.push(...scoreWindow(model, windows[next++]!, 0));
      if (next < windows.length) return false;
      const totalMs = performance.now() - startedAtMs;
      resolve({
        ...plan,
        logprob: tokenLogprobs.reduce((sum, value) => sum + value, 0),
        tokens: tokenLogprobs.length,
        windows: windows.length,
        tokenLogprobs,
        usage: { promptTokens, cachedTokens: 0, computedTokens: model.counters.computedTokens - before },
        queuedMs: Math.max(0, sharedClockMs() - totalMs - context.handedOverAtMs),
        totalMs,
      });
      return true;
    };
    queues.exclusive.push({ step, reject });
    queues.schedule();
  });
}

function runBenchAlone(
  queues: EngineQueues,
  task: Extract<EngineTask, { kind: 'bench' }>,
  context: TaskContext,
): Promise<EngineResults['bench']> {
  refuseOverflow(queues.model, task.depth + Math.max(task.promptTokens, task.generatedTokens), 'depth and measured tokens');
  return new Promise((resolve, reject) => {
    const step = () => {
      if (context.signal.aborted) {
        reject(cancelledError());
      } else {
        queues.forget();
        resolve(runBench(queues.model, task));
      }
      return true;
    };
    queues.exclusive.push({ step, reject });
    queues.schedule();
  });
}

function renderPrompt({ vocabulary }: LoadedModel, prompt: readonly TextPart[]): EngineResults['render'] {
  const tokens = vocabulary.encodePrompt(prompt);
  return {
    text: prompt.map(({ text }) => text).join(''),
    tokens,
    pieces: tokens.map((token) => vocabulary.bytesOf(token).toString('utf8')),
  };
}

function readCounters({ native, context, counters }: LoadedModel): EngineResults['counters'] {
  native.llama.synchronize(context);
  const perf = native.llama.perf_context(context);
  const { computedTokens, readCpuMs, decodeCpuMs } = counters;
  // llama.cpp never reports less than 1 of either kind; batches of one token count as generated.
  const prompt = computedTokens > counters.singleDecodes ? perf.n_p_eval : 0;
  const evaluated = prompt + (counters.singleDecodes > 0 ? perf.n_eval : 0);
  return { computedTokens, readCpuMs, decodeCpuMs, llamaEvaluatedTokens: evaluated };
}

function refuseOverflow(model: LoadedModel, need: number, what: string): void {
  if (need <= model.contextTokens) return;
  throw new ToolError('context-overflow', `${what} need ${need} tokens; the context holds ${model.contextTokens}`, {
    hint: `raise --context (the model was trained on ${model.trainedContext}), or use fewer few-shot examples or a lower --max-tokens`,
  });
}

export function cancelledError(): ToolError {
  return new ToolError('interrupted', 'the request was cancelled');
}
