// Builds llama.cpp's own llama-bench and llama-perplexity against the very libraries the engine loads, so speeds compare like with like.
// The sources come from the bundle inside the npm package node-llama-cpp of the same version. Needs npm, git, tar and g++; Linux only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateLibrary } from '../../src/backends/llama/library-location.ts';

const cache = fileURLToPath(new URL('../.cache/llama', import.meta.url));

export interface LlamaPeers {
  readonly bench: string;
  readonly perplexity: string;
}

function run(command: string, args: readonly string[], directory: string): string {
  const result = spawnSync(command, args, { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.error?.message ?? result.stderr.slice(-3000)}`);
  return result.stdout;
}

function fetchSources(version: string): string {
  const sources = join(cache, `src-${version}`);
  if (existsSync(join(sources, 'include', 'llama.h'))) return sources;
  const archive = run('npm', ['pack', '--silent', `node-llama-cpp@${version}`], cache)
    .trim()
    .split('\n')
    .at(-1)!;
  run('tar', ['xzf', archive, 'package/llama/gitRelease.bundle'], cache);
  run('git', ['clone', '--quiet', 'package/llama/gitRelease.bundle', sources], cache);
  return sources;
}

function compile(sources: string, objects: string, file: string): string {
  const object = join(objects, `${basename(join(file, '..'))}-${basename(file, '.cpp')}.o`);
  if (existsSync(object)) return object;
  const includes = ['.', 'include', 'ggml/include', 'common', 'vendor'].map((folder) => `-I${join(sources, folder)}`);
  run('g++', ['-std=c++17', '-O2', '-w', '-DNDEBUG', ...includes, '-c', file, '-o', object], sources);
  return object;
}

/** Paths of the built tools; a few seconds when they are built already, about 20 s of CPU otherwise. */
export function buildPeers(): LlamaPeers {
  if (process.platform !== 'linux') throw new Error('the comparison with llama.cpp is built on Linux only');
  const location = locateLibrary();
  if (location.packageVersion === null) throw new Error('unset SLMBENCH_LLAMA_LIB: the comparison uses the packaged libraries');
  const objects = join(cache, 'objects');
  mkdirSync(objects, { recursive: true });
  const tools = { bench: 'llama-bench', perplexity: 'perplexity' };
  const paths = { bench: join(cache, tools.bench), perplexity: join(cache, tools.perplexity) };
  if (Object.values(paths).every((path) => existsSync(path))) return paths;
  const sources = fetchSources(location.packageVersion);
  const libraries = readdirSync(location.directory).filter((name) => /^lib(llama|ggml)[-.\w]*\.so/u.test(name));
  const linked = libraries.filter((name) => !name.startsWith('libggml-cpu')).map((name) => `-l:${name}`);
  // llama.cpp looks for its CPU kernels beside the tool.
  for (const name of libraries.filter((library) => library.startsWith('libggml-cpu'))) {
    if (!existsSync(join(cache, name))) symlinkSync(join(location.directory, name), join(cache, name));
  }
  for (const [key, tool] of Object.entries(tools) as [keyof LlamaPeers, string][]) {
    const folder = join(sources, 'tools', tool);
    const files = readdirSync(folder).filter((name) => name.endsWith('.cpp'));
    const parts = files.map((name) => compile(sources, objects, join(folder, name)));
    const link = [
      `-L${location.directory}`,
      ...linked,
      `-Wl,-rpath,${location.directory}`,
      '-Wl,--allow-shlib-undefined',
      '-lpthread',
      '-ldl',
    ];
    run('g++', [...parts, ...link, '-o', paths[key]], cache);
  }
  return paths;
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(buildPeers(), null, 2)}\n`);
