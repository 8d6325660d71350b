import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchFile } from '../fetch-file.ts';
import type { SourceContext } from '../source-context.ts';

let folder: string;
let context: SourceContext;
const wheel = Buffer.from(zipSync({ 'pkg/small.txt': Buffer.from('small'), 'pkg/other.bin': [Buffer.alloc(5000, 7), { level: 0 }] }));
const sha256 = createHash('sha256').update(wheel).digest('hex');

/** A program called pip3 on PATH, which copies a wheel to --dest or fails as the real one does. */
const installPip = (script: string) => {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/pip3'), `#!/bin/sh\necho "$@" >> '${folder}/calls'\n${script}\n`);
  chmodSync(join(folder, 'bin/pip3'), 0o755);
};
const copies = (name: string) =>
  `while [ "$1" != "--dest" ]; do shift; done\n/bin/mkdir -p "$2"\n/bin/cp '${name}' "$2/pkg-1.0-py3-none-any.whl"`;
const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : []);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheel-'));
  context = { cacheDirectory: join(folder, 'cache'), offline: false, environment: { PATH: join(folder, 'bin'), HOME: folder } };
  writeFileSync(join(folder, 'the.whl'), wheel);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const posix = test.skipIf(process.platform === 'win32');

posix('the wheel is downloaded once, nothing is installed, and a second member comes from the kept wheel', async () => {
  installPip(copies(join(folder, 'the.whl')));
  const file = await fetchFile([{ reference: `pypi:pkg==1.0#sha256=${sha256}!/pkg/small.txt` }], context);
  expect(readFileSync(file.path, 'utf8')).toBe('small');
  expect(calls()).toHaveLength(1);
  expect(calls()[0]).toMatch(/^download --no-deps --only-binary=:all: .*pkg==1\.0$/);
  expect((await fetchFile([{ reference: 'pypi:pkg==1.0!/pkg/other.bin' }], { ...context, offline: true })).sizeBytes).toBe(5000);
  expect(calls()).toHaveLength(1);
});

posix('a wheel with another digest is refused and removed', async () => {
  installPip(copies(join(folder, 'the.whl')));
  await expect(fetchFile([{ reference: `pypi:pkg==1.0#sha256=${'0'.repeat(64)}!/pkg/small.txt` }], context)).rejects.toMatchObject({
    code: 'integrity',
  });
  expect(existsSync(join(folder, 'cache/wheels/pkg-1.0'))).toBe(false);
});

posix("pip's own words are in the error, and no half folder stays", async () => {
  installPip('echo "ERROR: No matching distribution found for pkg==1.0" >&2; exit 1');
  await expect(fetchFile([{ reference: 'pypi:pkg==1.0!/pkg/small.txt' }], context)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('No matching distribution'),
  });
});

test('without pip, and offline, the error says what is missing', async () => {
  await expect(fetchFile([{ reference: 'pypi:pkg==1.0!/pkg/small.txt' }], context)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('neither pip nor uv'),
  });
  await expect(fetchFile([{ reference: 'pypi:pkg==1.0!/pkg/small.txt' }], { ...context, offline: true })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('offline'),
  });
});
