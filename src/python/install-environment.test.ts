// Finding Python and making environments, with scripted programs in place of Python and uv.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { findPython, isSupported } from './find-python.ts';
import { assertRoom, environmentFolder, installEnvironment, isComplete } from './install-environment.ts';
import { withInstallLock } from './install-lock.ts';
import { chooseVariant, readRequirements } from './worker-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-python-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(ToolError.isInstance(thrown)).toBe(true);
  return thrown as ToolError;
}

describe.skipIf(process.platform === 'win32')('Python', () => {
  const fake = (version: string) => script('python3', `echo "${join(folder, 'python3')}"; echo ${version}; echo True`);

  it('takes a fitting one that is named', async () => {
    const path = await fake('3.12.4');
    expect(await findPython({ SLMBENCH_PYTHON: path })).toEqual({ executable: path, version: '3.12.4' });
  });

  it.each(['3.8.10', '2.7.18', '3.15.0'])('refuses version %s and says which are wanted', async (version) => {
    const path = await fake(version);
    const error = await failureOf(findPython({ SLMBENCH_PYTHON: path }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain(version);
    expect(error.message).toContain('3.11 to 3.14');
  });

  it('names a program that cannot be run', async () => {
    expect((await failureOf(findPython({ SLMBENCH_PYTHON: join(folder, 'none') }))).message).toContain('cannot be run');
    expect(isSupported('3.11.0')).toBe(true);
  });
});

describe('variant', () => {
  it('follows SLMBENCH_TORCH and refuses other words', async () => {
    expect(await chooseVariant({ SLMBENCH_TORCH: 'cuda' })).toBe('cuda');
    expect((await failureOf(chooseVariant({ SLMBENCH_TORCH: 'gpu' }))).code).toBe('usage');
  });

  it.each(['cpu', 'cuda'] as const)('has hashed requirements for %s that name no host', async (variant) => {
    const { file, digest } = await readRequirements(variant);
    const text = await readFile(file, 'utf8');
    expect(digest).toMatch(/^[0-9a-f]{64}$/u);
    expect(text).not.toMatch(/:\/\/|--index-url|--find-links/u);
    const packages = text.split('\n').filter((line) => /^[a-z]/u.test(line));
    expect(packages.length).toBeGreaterThan(40);
    expect(packages.every((line) => /^[a-z0-9.-]+==\S+/u.test(line) && line.endsWith('\\'))).toBe(true);
    const unused = packages.filter((line) =>
      /^(triton|nvidia-cusolver|nvidia-cuda-cccl|nvidia-nvtx|cuda-bindings|bitsandbytes)==/u.test(line),
    );
    expect(unused.length > 0).toBe(variant === 'cuda');
  });
});

describe.skipIf(process.platform === 'win32')('environment', () => {
  const fakePython = 'case "$*" in *importlib*) echo "{\\"torch\\": \\"9.9\\"}";; esac';
  /** `uv venv ... DIR` makes DIR/bin/python; `uv pip sync` does what `sync` says. */
  const uv = (sync: string) =>
    script(
      'uv',
      `if [ "$1" = venv ]; then for last; do :; done; mkdir -p "$last/bin"; cp "${folder}/fake-python" "$last/bin/python"; else ${sync}; fi`,
    );

  async function install(sync: string) {
    await script('fake-python', fakePython);
    const file = join(folder, 'requirements.txt');
    await writeFile(file, 'a==1 --hash=sha256:0\n');
    const requirements = { ...(await readRequirements('cpu', file)), diskBytes: 1000 };
    const options = {
      uv: await uv(sync),
      python: { executable: 'python3', version: '3.11.7' },
      requirements,
      cacheDirectory: join(folder, 'cache'),
    };
    return {
      options,
      target: environmentFolder(options.cacheDirectory, requirements, options.python),
      run: () => installEnvironment(options),
    };
  }

  it('appears under its name only when it is complete', async () => {
    const { target, run } = await install('true');
    expect(await isComplete(target)).toBe(false);
    expect(await run()).toBe(target);
    expect(await isComplete(target)).toBe(true);
    expect(await readdir(join(folder, 'cache', 'python'))).toEqual([target.split('/').at(-1)]);
  });

  it('removes what a killed install left, and never takes it for an environment', async () => {
    const { target, run } = await install('true');
    await mkdir(`${target}.part-dead/bin`, { recursive: true });
    await mkdir(target, { recursive: true });
    expect(await isComplete(target)).toBe(false);
    await run();
    expect(await isComplete(target)).toBe(true);
    expect(await readdir(join(folder, 'cache', 'python'))).toHaveLength(1);
  });

  it.each([
    ['echo "error: No space left on device (os error 28)" >&2; exit 2', 'storage'],
    ['echo "error: Hash mismatch for torch" >&2; exit 1', 'integrity'],
    ['echo "error: Failed to fetch" >&2; exit 2', 'unavailable'],
    [`rm "$(dirname "$5")/python"; printf '#!/bin/sh\\nexit 1\\n' > "$6"; chmod +x "$6"`, 'integrity'],
  ])('fails clearly and leaves nothing: %s', async (sync, code) => {
    const { target, run } = await install(sync);
    expect((await failureOf(run())).code).toBe(code);
    expect(await isComplete(target)).toBe(false);
    expect(await readdir(join(folder, 'cache', 'python'))).toEqual([]);
  });

  it('asks for room before it starts', async () => {
    const error = await failureOf(assertRoom(folder, 1e18));
    expect([error.code, error.message.includes('free')]).toEqual(['storage', true]);
  });
});

describe('install lock', () => {
  it('lets one in at a time and takes over from a process that is gone', async () => {
    const path = join(folder, 'x.lock');
    const { hostname } = await import('node:os');
    await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
    };
    await Promise.all([1, 2, 3].map(() => withInstallLock(path, work)));
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });
});
