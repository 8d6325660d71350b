// A LoRA adapter converted from PEFT moves the scores of the exact model to values that are known by hand.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveAdapter } from '../../src/backends/resolve-adapter.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { writeSafetensors } from '../../src/formats/safetensors.ts';
import { toyEncode, toyExpectation } from '../../src/formats/toy-expectation.ts';
import { normEpsilon, toyBigramLogs, toyVocabularySize } from '../../src/formats/toy-model.ts';

const folder = await mkdtemp(join(tmpdir(), 'slmbench-adapter-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const width = 576;
const seen = 't'.charCodeAt(0);
const pushed = 'Q'.charCodeAt(0);
const strength = 6;

/** Adds `strength` times the share of "t" in the context to the state element of "Q". */
async function writeAdapter(): Promise<string> {
  const path = join(folder, 'peft');
  await mkdir(path);
  const down = new Float32Array(width);
  down[seen] = 1;
  const up = new Float32Array(width);
  up[pushed] = strength;
  const key = 'base_model.model.model.layers.0.self_attn.o_proj';
  await writeFile(join(path, 'adapter_config.json'), JSON.stringify({ peft_type: 'LORA', r: 1, lora_alpha: 1 }));
  await writeFile(
    join(path, 'adapter_model.safetensors'),
    writeSafetensors([
      { name: `${key}.lora_A.weight`, type: 'F32', shape: [1, width], values: down },
      { name: `${key}.lora_B.weight`, type: 'F32', shape: [width, 1], values: up },
    ]),
  );
  return path;
}

function expectedLogprob(context: readonly number[], next: number, scale: number): number {
  const logs = toyBigramLogs();
  const current = context.at(-1)!;
  const push = (scale * strength * context.filter((token) => token === seen).length) / context.length;
  const squares = current === pushed ? (1 + push) ** 2 : 1 + push ** 2;
  const norm = Math.sqrt((1 + normEpsilon) / (squares + normEpsilon));
  const logits = Array.from(
    { length: toyVocabularySize },
    (_, token) => norm * (logs[current * toyVocabularySize + token]! + push * logs[pushed * toyVocabularySize + token]!),
  );
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits[next]! - total;
}

it.each([1, 0.5])('scores as computed by hand at scale %f', async (scale) => {
  const model = await resolveModel('toy', { cacheDirectory: folder, offline: true });
  const adapter = await resolveAdapter(`${scale === 1 ? await writeAdapter() : join(folder, 'peft')}=${scale}`, model, {
    cacheDirectory: folder,
  });
  const backend = await openBackend(model, { threads: 1, contextTokens: 256, adapters: [{ path: adapter.path, scale: adapter.scale }] });
  try {
    const context = 'the test that it';
    const { choices } = await backend.score({
      prompt: { kind: 'text', text: context },
      choices: [{ continuation: 'u' }, { continuation: 'x' }],
    });
    const tokens = toyEncode(context);
    for (const [index, letter] of ['u', 'x'].entries()) {
      const expected = expectedLogprob(tokens, letter.charCodeAt(0), scale);
      expect(Math.abs(choices[index]!.logprob - expected)).toBeLessThan(2e-3);
    }
    expect(choices[0]!.logprob).toBeGreaterThan(toyExpectation().score(context, 'u').logprob + 0.3);
  } finally {
    await backend.close();
  }
});
