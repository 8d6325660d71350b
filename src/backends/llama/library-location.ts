// Finds the prebuilt llama.cpp libraries: the build named by SLMBENCH_LLAMA_LIB, a GPU package where installed, else the CPU package of this platform.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';

export type LlamaAccelerator = 'cpu' | 'cuda' | 'vulkan' | 'metal' | 'custom';

/** Where one build of llama.cpp lies. */
export interface LibraryLocation {
  readonly directory: string;
  readonly llama: string;
  readonly ggml: string;
  readonly ggmlBase: string | null;
  readonly accelerator: LlamaAccelerator;
  /** npm package and version, or the folder that SLMBENCH_LLAMA_LIB names. */
  readonly origin: string;
  /** Version of the package that shipped the libraries; null for a custom build. */
  readonly packageVersion: string | null;
}

interface Candidate {
  readonly name: string;
  readonly accelerator: LlamaAccelerator;
}

/** Packages that may hold a build for this platform, the fastest first. */
function candidates(platform: NodeJS.Platform, architecture: string): readonly Candidate[] {
  const os = platform === 'win32' ? 'win' : platform === 'darwin' ? 'mac' : 'linux';
  const base = `@node-llama-cpp/${os}-${architecture}`;
  if (os === 'mac') {
    return architecture === 'arm64' ? [{ name: `${base}-metal`, accelerator: 'metal' }] : [{ name: base, accelerator: 'cpu' }];
  }
  return [
    { name: `${base}-cuda`, accelerator: 'cuda' },
    { name: `${base}-vulkan`, accelerator: 'vulkan' },
    { name: base, accelerator: 'cpu' },
  ];
}

/**
 * The libraries to load on this machine.
 * @throws ToolError `unavailable` with what to install when there are none
 */
export function locateLibrary(environment: NodeJS.ProcessEnv = process.env): LibraryLocation {
  const named = environment['SLMBENCH_LLAMA_LIB'];
  if (named !== undefined && named !== '') return customLibrary(named);
  const wanted = candidates(process.platform, process.arch);
  for (const candidate of wanted) {
    const found = packagedLibrary(candidate);
    if (found !== undefined) return found;
  }
  throw new ToolError('unavailable', `no llama.cpp build is installed for ${process.platform}-${process.arch}`, {
    hint: `install one of: ${wanted.map(({ name }) => name).join(', ')} (npm i NAME@3.21.1), or name a folder in SLMBENCH_LLAMA_LIB`,
  });
}

function packagedLibrary({ name, accelerator }: Candidate): LibraryLocation | undefined {
  const root = packageRoot(name);
  if (root === undefined) return undefined;
  const bins = join(root, 'bins');
  if (!existsSync(bins)) return undefined;
  for (const folder of readdirSync(bins)) {
    const directory = join(bins, folder);
    const files = libraryFiles(directory);
    if (files === undefined) continue;
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory, ...files, accelerator, origin: `${name}@${version}`, packageVersion: version };
  }
  return undefined;
}

function packageRoot(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    const root = join(folder, name);
    if (existsSync(join(root, 'package.json'))) return root;
  }
  return undefined;
}

function customLibrary(named: string): LibraryLocation {
  const path = resolve(named);
  if (!existsSync(path)) throw new ToolError('not-found', `SLMBENCH_LLAMA_LIB names "${named}", which does not exist`);
  const directory = statSync(path).isDirectory() ? path : dirname(path);
  const files = libraryFiles(directory);
  if (files === undefined) {
    throw new ToolError('not-found', `SLMBENCH_LLAMA_LIB: no libllama and libggml in ${directory}`, {
      hint: 'name the folder that holds both shared libraries',
    });
  }
  return { directory, ...files, accelerator: 'custom', origin: `SLMBENCH_LLAMA_LIB (${directory})`, packageVersion: null };
}

/** The shared libraries of one build, whose names differ by platform and carry a version in some builds. */
function libraryFiles(directory: string): Pick<LibraryLocation, 'llama' | 'ggml' | 'ggmlBase'> | undefined {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const names = readdirSync(directory).sort();
  const ending = '(?:[.-]v?\\d+)*[.](?:so(?:[.]\\d+)*|dylib|dll)$';
  const find = (stem: string): string | null => {
    const name = names.find((entry) => new RegExp(`^(?:lib)?${stem}${ending}`, 'u').test(entry));
    return name === undefined ? null : join(directory, name);
  };
  const llama = find('llama');
  const ggml = find('ggml');
  return llama === null || ggml === null ? undefined : { llama, ggml, ggmlBase: find('ggml-base') };
}
