// Perplexity parity: the engine's rolling log-likelihood against llama-perplexity on the same windows, and lm-eval's windows from its own code.
// usage: SLMBENCH_TEST_MODEL=model.gguf node bench/parity/perplexity.ts
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { buildPeers } from '../llama/build-peers.ts';

const windowTokens = 128;
const model = process.env['SLMBENCH_TEST_MODEL'];
if (model === undefined) throw new Error('set SLMBENCH_TEST_MODEL to a GGUF file');
const textFile = fileURLToPath(new URL('perplexity-text.txt', import.meta.url));
const text = readFileSync(textFile, 'utf8');

/** llama-perplexity prints the running value after each window; the last figure is that of all windows. */
function peerPerplexity(): number {
  const args = ['-m', model!, '-f', textFile, '-c', String(windowTokens), '-b', String(windowTokens), '-t', '1', '--no-warmup'];
  const result = spawnSync(buildPeers().perplexity, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const output = `${result.stdout}\n${result.stderr}`;
  const final = /Final estimate: PPL = ([\d.]+)/.exec(output)?.[1];
  if (final === undefined) throw new Error(output.slice(-2000));
  return Number(final);
}

const resolved = await resolveModel(model, { cacheDirectory: cacheRoot(), offline: true });
const backend = await openBackend(resolved, { threads: 1, contextTokens: windowTokens, deterministic: true });
const rolling = await backend.rolling({ text, windowing: 'llama-perplexity', windowTokens });
const harness = await backend.rolling({ text, windowing: 'lm-eval', windowTokens });
await backend.close();
const perplexityOf = ({ logprob, tokens }: { readonly logprob: number; readonly tokens: number }) => Math.exp(-logprob / tokens);
const theirs = peerPerplexity();
const ours = perplexityOf(rolling);
const document = {
  model: basename(model),
  windowTokens,
  windows: rolling.windows,
  bosPolicy: rolling.bosPolicy,
  ours,
  llamaPerplexity: theirs,
  relativeDifference: Math.abs(ours - theirs) / theirs,
  lmEvalWindows: { perplexity: perplexityOf(harness), tokens: harness.tokens, windows: harness.windows },
};
writeFileSync(new URL('perplexity-results.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
if (document.relativeDifference > 1e-3) process.exitCode = 1;
