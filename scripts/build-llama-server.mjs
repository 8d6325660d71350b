// Builds a real llama-server for tests and benchmarks: its source comes from the `node-llama-cpp` package, its kernels from the
// prebuilt libraries that slmbench itself runs. Linux with g++ only; about four minutes once, cached. Prints the binary's path.
// usage: node scripts/build-llama-server.mjs [--if-cached]   (--if-cached: print the path when it is built already, else nothing)
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheRoot } from '../src/sources/cache-root.ts';

const root = dirname(import.meta.dirname);
const platform = `${process.platform}-${process.arch}`;

function fail(message) {
  console.error(`build-llama-server: ${message}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
  if (error !== undefined) fail(`${command} cannot be started: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.slice(0, 3).join(' ')} ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout;
}

function librariesFolder() {
  const require = createRequire(join(root, 'package.json'));
  const packageFile = join(root, 'node_modules', '@node-llama-cpp', platform, 'package.json');
  if (!existsSync(packageFile)) fail(`@node-llama-cpp/${platform} is not installed; name a binary in SLMBENCH_TEST_LLAMA_SERVER`);
  const { version } = require(packageFile);
  return { version, folder: join(dirname(packageFile), 'bins', platform) };
}

/** The llama.cpp tree of exactly the prebuilt libraries. */
function unpackSource(work, version) {
  const source = join(work, 'source');
  if (existsSync(join(source, 'tools/server/server.cpp'))) return source;
  const archive = run('npm', ['pack', `node-llama-cpp@${version}`, '--silent', '--pack-destination', work])
    .trim()
    .split('\n')
    .at(-1);
  run('tar', ['-xzf', join(work, archive), '-C', work, 'package/llama/gitRelease.bundle']);
  rmSync(source, { recursive: true, force: true });
  run('git', ['clone', '--quiet', join(work, 'package/llama/gitRelease.bundle'), source]);
  rmSync(join(work, archive));
  rmSync(join(work, 'package'), { recursive: true });
  return source;
}

/** The web page table of the server, empty: tests need none. */
function makeEmptyPages(source, work) {
  const pages = join(work, 'ui.cpp');
  if (!existsSync(pages)) {
    run('g++', ['-std=c++17', '-o', join(work, 'embed'), join(source, 'tools/ui/embed.cpp')]);
    run(join(work, 'embed'), [pages, join(work, 'ui.h')]);
  }
  return pages;
}

function filesIn(folder, pattern = /[.](?:c|cpp)$/u, without = /$^/u) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name) && !without.test(name))
    .map((name) => join(folder, name));
}

function sourceFiles(source, pages) {
  return [
    ...filesIn(join(source, 'tools/server'), /^[^/]+[.]cpp$/u),
    ...filesIn(join(source, 'tools/mtmd'), /^(?:models[/])?[^/]+[.]cpp$/u, /mtmd-cli|deprecation/u),
    ...filesIn(join(source, 'vendor/hash')),
    pages,
  ];
}

function includeFlags(source, work) {
  const folders = ['.', 'include', 'ggml/include', 'common', 'vendor', 'tools/mtmd', 'tools/server', 'vendor/hash'];
  const hashes = ['rotate-bits', 'sha1', 'sha256', 'xxhash'].map((name) => `vendor/hash/${name}`);
  return [...[...folders, ...hashes].map((folder) => `-I${join(source, folder)}`), `-I${work}`];
}

/** Compiles what has no object yet, `jobs` at a time; an interrupted build goes on where it stopped. */
async function compileAll(files, objects, flags, jobs) {
  const queue = [...files];
  const made = [];
  const work = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const object = join(objects, `${file.replaceAll('/', '_')}.o`);
      made.push(object);
      if (existsSync(object)) continue;
      // One of the vendored `.c` files is C++.
      const isC = file.endsWith('.c') && !/^namespace /mu.test(readFileSync(file, 'utf8'));
      const language = isC ? ['-x', 'c'] : ['-x', 'c++', '-std=c++17'];
      const args = [...language, '-O1', '-w', '-DNDEBUG', ...flags, '-c', file, '-o', `${object}.part`];
      await new Promise((resolve) => {
        const compiler = spawn('g++', args, { stdio: ['ignore', 'ignore', 'inherit'] });
        compiler.on('close', (code) => (code === 0 ? resolve() : fail(`g++ failed on ${file}`)));
      });
      renameSync(`${object}.part`, object);
      console.error(`compiled ${made.length} of ${files.length}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return made;
}

function link(objects, libraries, binary) {
  const named = readdirSync(libraries).filter((name) => /^lib(?:llama-common|llama|ggml|ggml-base)(?:[.]v[\d.]+)?[.]so$/u.test(name));
  const args = [...objects, `-L${libraries}`, ...named.map((name) => `-l:${name}`)];
  run('g++', [...args, `-Wl,-rpath,${libraries}`, '-Wl,--allow-shlib-undefined', '-lpthread', '-ldl', '-o', `${binary}.part`]);
  renameSync(`${binary}.part`, binary);
}

const { version, folder: libraries } = librariesFolder();
const work = join(cacheRoot(), 'llama-server', `${platform}-${version}`);
const binary = join(work, 'llama-server');
// The binary finds its libraries where they were when it was linked.
const linkedTo = join(work, 'libraries.txt');
if (existsSync(binary) && existsSync(linkedTo) && readFileSync(linkedTo, 'utf8') === libraries) {
  console.log(binary);
} else if (!process.argv.includes('--if-cached')) {
  if (process.platform !== 'linux') fail('only Linux is supported; name a binary in SLMBENCH_TEST_LLAMA_SERVER');
  const objects = join(work, 'objects');
  mkdirSync(objects, { recursive: true });
  const source = unpackSource(work, version);
  const pages = makeEmptyPages(source, work);
  const jobs = Number(process.env['SLMBENCH_BUILD_JOBS'] ?? 2);
  link(await compileAll(sourceFiles(source, pages), objects, includeFlags(source, work), jobs), libraries, binary);
  // The CPU kernels are loaded from the program's own folder.
  for (const name of readdirSync(libraries).filter((file) => file.startsWith('libggml-cpu-'))) {
    rmSync(join(work, name), { force: true });
    symlinkSync(join(libraries, name), join(work, name));
  }
  writeFileSync(linkedTo, libraries);
  console.log(binary);
}
