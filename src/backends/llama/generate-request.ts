// One generation request from the port's words to the engine's and back: prompt, grammar, stream, usage and timing.
import { ToolError } from '../../core/errors.ts';
import type { BackendWarning, GenerateRequest, Generation } from '../../core/generation.ts';
import type { GenerateOptions } from '../../core/ports/backend.ts';
import { promptParts } from './chat-parts.ts';
import type { EngineResults, EngineTask } from './engine-protocol.ts';
import { jsonSchemaGrammar } from './json-schema-grammar.ts';
import type { SupervisedEngine } from './supervised-engine.ts';
import { readThinking } from './thinking-span.ts';

export async function generateWith(
  engine: SupervisedEngine,
  request: GenerateRequest,
  options: GenerateOptions,
  timeoutMs: number | undefined,
): Promise<Generation> {
  const { parts, text, warnings } = promptParts(request.prompt, engine.facts, request.settings.thinking);
  const task = generateTask(request, parts, options.onPart !== undefined);
  const result = await engine.call(task, {
    signal: options.signal,
    timeoutMs,
    onText: (part, timeMs) => options.onPart?.({ kind: 'text', text: part, timeMs }),
  });
  const generation = describeGeneration(result, text, warnings);
  options.onPart?.({ kind: 'finish', generation });
  return generation;
}

function generateTask(
  { settings, grammar, jsonSchema, topLogprobs, ignoreEndOfText }: GenerateRequest,
  prompt: Extract<EngineTask, { kind: 'generate' }>['prompt'],
  stream: boolean,
): Extract<EngineTask, { kind: 'generate' }> {
  if (grammar !== undefined && jsonSchema !== undefined) {
    throw new ToolError('unsupported', 'a request takes a grammar or a JSON Schema, not both');
  }
  return {
    kind: 'generate',
    prompt,
    stream,
    sampling: {
      maxTokens: settings.maxTokens,
      temperature: settings.temperature,
      topP: settings.topP ?? null,
      topK: settings.topK ?? null,
      minP: settings.minP ?? null,
      repeatPenalty: settings.repeatPenalty ?? null,
      seed: settings.seed,
      stop: settings.stop,
      grammar: grammar ?? (jsonSchema === undefined ? null : jsonSchemaGrammar(jsonSchema)),
      topLogprobs: topLogprobs ?? null,
      ignoreEndOfText: ignoreEndOfText ?? false,
    },
  };
}

function describeGeneration(result: EngineResults['generate'], prompt: string, warnings: readonly BackendWarning[]): Generation {
  const { tokens, usage, text } = result;
  const first = tokens.find((token) => token.text !== '');
  const ttftMs = first?.timeMs ?? null;
  const totalMs = tokens.at(-1)?.timeMs ?? result.prefillMs + result.decodeMs;
  const rest = tokens.length - 1;
  const thinking = readThinking(tokens, prompt);
  return {
    text,
    finishReason: result.finishReason,
    usage: { ...usage, completionTokens: tokens.length, reasoningTokens: thinking.tokens, source: 'engine' },
    timing: {
      queuedMs: result.queuedMs,
      ttftMs,
      ttfaMs: thinking.answerAtMs,
      totalMs,
      tpotMs: ttftMs === null || rest < 1 ? null : (totalMs - ttftMs) / rest,
      prefillMs: result.prefillMs,
      decodeMs: result.decodeMs,
    },
    warnings,
    tokens,
    chunkGapsMs: gapsOf(tokens.filter((token) => token.text !== '').map(({ timeMs }) => timeMs)),
  };
}

function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - times[index]!);
}
