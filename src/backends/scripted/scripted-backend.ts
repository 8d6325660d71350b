// A backend whose answers come from a file: for tests, demonstrations and measuring the harness itself.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { GenerateRequest, Generation, ScoreRequest, ScoreResult, StreamPart, Timing } from '../../core/generation.ts';
import type { Backend, BackendCapabilities, BackendOptions, GenerateOptions, RequestOptions } from '../../core/ports/backend.ts';
import type { Prompt } from '../../core/prompt.ts';
import { joinAsText } from '../../templating/chat-fallbacks.ts';
import type { ResolvedModel } from '../resolve-model.ts';
import { type FindRule, indexRules } from './rule-index.ts';
import { parseScript, type Script, type ScriptRule } from './script.ts';
import { countWords, scriptedScores, scriptedText, scriptedUsage } from './scripted-answer.ts';

export interface ScriptedHooks {
  readonly onRestart?: ((reason: string) => void) | undefined;
}

/** Opens a script file. @throws ToolError `not-found`, or `config` with the line that is wrong */
export async function openScriptedBackend(model: ResolvedModel, options: BackendOptions = {}, hooks: ScriptedHooks = {}): Promise<Backend> {
  const path = model.path ?? '';
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ToolError('not-found', `the script ${basename(path)} cannot be read: ${messageOf(cause)}`, { cause });
  });
  return scriptedBackend(parseScript(text, path), model.facts, options, hooks);
}

/** A backend over a script in memory. */
export function scriptedBackend(
  script: Script,
  facts: ResolvedModel['facts'],
  options: BackendOptions = {},
  hooks: ScriptedHooks = {},
): Backend {
  const state: ScriptState = { find: indexRules(script.rules), calls: 0, closed: false, options, hooks, script };
  return {
    specificationVersion: 'v1',
    identity: { kind: 'scripted', name: script.name ?? facts.file ?? 'script', version: '1', build: null, settings: {} },
    model: facts,
    capabilities: capabilitiesOf(script),
    load: { loadMs: 0, warm: null },
    generate: (request, requestOptions) => generate(state, request, requestOptions ?? {}),
    score: (request, requestOptions) => score(state, request, requestOptions ?? {}),
    rolling: async () => refuse('rolling log-likelihood'),
    render: async (prompt) => ({ text: textOf(prompt) }),
    bench: async () => refuse('engine benchmarks'),
    processIds: () => [],
    close: async () => {
      state.closed = true;
    },
  };
}

interface ScriptState {
  readonly find: FindRule;
  readonly options: BackendOptions;
  readonly hooks: ScriptedHooks;
  readonly script: Script;
  calls: number;
  closed: boolean;
}

function capabilitiesOf(script: Script): BackendCapabilities {
  return {
    generate: script.rules.some((rule) => rule.text !== undefined || rule.echo === true),
    stream: true,
    score: script.rules.some((rule) => rule.scores !== undefined),
    rolling: false,
    tokenize: false,
    chat: true,
    bench: false,
    adapters: false,
    jsonSchema: false,
    contextTokens: script.contextTokens,
    preferredConcurrency: { score: 64, generate: 64 },
  };
}

async function generate(state: ScriptState, request: GenerateRequest, options: GenerateOptions): Promise<Generation> {
  const startMs = performance.now();
  if (request.jsonSchema !== undefined) refuse('a JSON schema');
  if (request.grammar !== undefined) refuse('a grammar');
  const { rule, prompt, instruction } = begin(state, request.prompt, options);
  if (rule.text === undefined && rule.echo !== true && !isFailure(rule)) refuse('generation for this prompt (its rule has scores only)');
  await delay(state, rule, rule.ttftMs ?? rule.latencyMs ?? 0, startMs, options.signal);
  const { text, finishReason } = scriptedText(rule, instruction, request.settings);
  const ttftMs = performance.now() - startMs;
  if (options.onPart !== undefined) emit(rule.reasoning, text, ttftMs, options.onPart);
  await delay(state, rule, rule.latencyMs ?? 0, startMs, options.signal);
  const usage = scriptedUsage(rule, prompt, text);
  const generation: Generation = {
    text,
    ...(rule.reasoning === undefined ? {} : { reasoning: rule.reasoning }),
    finishReason,
    usage,
    timing: timingOf(
      startMs,
      text === '' && rule.reasoning === undefined ? null : ttftMs,
      text === '' ? null : ttftMs,
      usage.completionTokens ?? 0,
    ),
    warnings: [],
  };
  options.onPart?.({ kind: 'finish', generation });
  return generation;
}

async function score(state: ScriptState, request: ScoreRequest, options: RequestOptions): Promise<ScoreResult> {
  const startMs = performance.now();
  const { rule, prompt } = begin(state, request.prompt, options);
  if (rule.scores === undefined && !isFailure(rule)) refuse('log-likelihood for this prompt (its rule has no scores)');
  await delay(state, rule, rule.latencyMs ?? 0, startMs, options.signal);
  const choices = scriptedScores(
    rule,
    request.choices.map((choice) => choice.continuation),
  );
  const usage = {
    promptTokens: countWords(prompt),
    cachedTokens: null,
    completionTokens: 0,
    reasoningTokens: null,
    source: 'tokenizer',
  } as const;
  return { choices, usage, timing: timingOf(startMs, null, null, 0), warnings: [] };
}

/** Counts the call, finds its rule and checks what a real backend checks before it works. */
function begin(
  state: ScriptState,
  prompt: Prompt,
  options: RequestOptions,
): { readonly rule: ScriptRule; readonly prompt: string; readonly instruction: string } {
  if (state.closed) throw new ToolError('backend', 'the backend is closed');
  throwIfAborted(options.signal);
  state.calls += 1;
  const instruction = instructionOf(prompt);
  const rule = state.find(instruction, state.calls);
  if (rule === undefined) {
    const shown = JSON.stringify(instruction.length > 80 ? `${instruction.slice(0, 77)}...` : instruction);
    throw new ToolError('backend', `the script has no rule for ${shown}`, {
      hint: 'add a last rule without a matcher to answer everything else',
    });
  }
  const text = prompt.kind === 'text' ? prompt.text : textOf(prompt);
  const limit = state.script.contextTokens;
  if (limit !== null && countWords(text) > limit) {
    throw new ToolError('context-overflow', `the prompt has ${countWords(text)} tokens, the context ${limit}`);
  }
  return { rule, prompt: text, instruction };
}

function isFailure(rule: ScriptRule): boolean {
  return rule.fail !== undefined || rule.crash === true;
}

/** Waits until `untilMs` after the start (no timer for 0), then fails if the rule says so. */
async function delay(
  state: ScriptState,
  rule: ScriptRule,
  untilMs: number,
  startMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const limitMs = state.options.requestTimeoutMs ?? Number.POSITIVE_INFINITY;
  const waitMs = Math.min(untilMs, limitMs) - (performance.now() - startMs);
  if (untilMs > 0 && waitMs > 0) await sleep(waitMs, signal);
  if (untilMs > limitMs) throw new ToolError('timeout', `no answer within ${limitMs} ms`, { isRetryable: true });
  if (rule.crash === true) {
    state.hooks.onRestart?.('the script made the engine crash');
    throw new ToolError('backend', 'the engine process died during the call', { isRetryable: true });
  }
  if (rule.fail !== undefined) {
    const { code, message } = rule.fail;
    throw new ToolError(code, message ?? `scripted failure: ${code}`, { isRetryable: code === 'transport' || code === 'timeout' });
  }
}

function sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, Math.ceil(durationMs));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted();
}

function interrupted(): ToolError {
  return new ToolError('interrupted', 'the request was cancelled');
}

function emit(reasoning: string | undefined, text: string, timeMs: number, onPart: (part: StreamPart) => void): void {
  if (reasoning !== undefined && reasoning !== '') onPart({ kind: 'reasoning', text: reasoning, timeMs });
  for (const piece of text.match(/\s*\S+\s*$|\s*\S+|\s+/gu) ?? []) onPart({ kind: 'text', text: piece, timeMs });
}

function timingOf(startMs: number, ttftMs: number | null, ttfaMs: number | null, completionTokens: number): Timing {
  const totalMs = performance.now() - startMs;
  const tpotMs = ttftMs === null || completionTokens < 2 ? null : (totalMs - ttftMs) / (completionTokens - 1);
  return { queuedMs: 0, ttftMs, ttfaMs, totalMs, tpotMs };
}

/** What rules match: the last user turn, or the text prompt. */
function instructionOf(prompt: Prompt): string {
  if (prompt.kind === 'text') return prompt.text;
  return prompt.messages.findLast((message) => message.role === 'user')?.content ?? '';
}

function textOf(prompt: Prompt): string {
  if (prompt.kind === 'text') return prompt.text;
  const text = joinAsText(prompt.messages);
  return prompt.prefill === undefined || prompt.prefill === '' ? text : `${text}\n\n${prompt.prefill}`;
}

function refuse(what: string): never {
  throw new ToolError('unsupported', `the scripted backend cannot do ${what}`);
}
