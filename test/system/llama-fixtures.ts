// Models for the engine's system tests: the exact toy model always, a real small model where one is at hand.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLlamaBackend } from '../../src/backends/llama/llama-backend.ts';
import type { LlamaOptions } from '../../src/backends/llama/llama-settings.ts';
import { defaultGenerationSettings, type GenerationSettings } from '../../src/core/generation.ts';
import { unknownModelFacts } from '../../src/core/model.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import type { Prompt } from '../../src/core/prompt.ts';
import { type ToyVariant, toyModelBytes } from '../../src/formats/toy-model.ts';

export const unknownFacts = unknownModelFacts;

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'slmbench-llama-'));
}

export function writeToyModel(folder: string, variant: ToyVariant = 'bigram'): string {
  const path = join(folder, `toy-${variant}.gguf`);
  if (!existsSync(path)) writeFileSync(path, toyModelBytes(undefined, variant));
  return path;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** llama.cpp spins at its barriers, so tests use one thread. */
export function openModel(path: string, options: LlamaOptions = {}, onRestart?: (reason: string) => void): Promise<Backend> {
  return openLlamaBackend({ path, facts: unknownFacts, options: { threads: 1, ...options }, onRestart });
}

export function textPrompt(text: string): Prompt {
  return { kind: 'text', text };
}

export function userPrompt(content: string): Prompt {
  return { kind: 'chat', messages: [{ role: 'user', content }] };
}

export function settings(changes: Partial<GenerationSettings> = {}): GenerationSettings {
  return { ...defaultGenerationSettings, ...changes };
}

/** Path of a SmolLM2-135M-Instruct GGUF: SLMBENCH_TEST_MODEL, or one that slmbench pulled. */
export function realModelPath(): string | undefined {
  const named = process.env['SLMBENCH_TEST_MODEL'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`SLMBENCH_TEST_MODEL names ${named}, which does not exist`);
    return named;
  }
  const cache = join(homedir(), '.cache', 'slmbench');
  if (!existsSync(cache)) return undefined;
  const found = readdirSync(cache, { recursive: true, encoding: 'utf8' }).find((name) => /SmolLM2-135M-Instruct[^/\\]*\.gguf$/u.test(name));
  return found === undefined ? undefined : join(cache, found);
}

export const noRealModel = 'no SmolLM2-135M-Instruct GGUF: set SLMBENCH_TEST_MODEL, or run `slmbench pull smollm2-135m`';
