// Where the llama.cpp libraries are looked for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateLibrary } from './library-location.ts';

it('takes the folder that SLMBENCH_LLAMA_LIB names, whatever the platform calls its libraries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slmbench lib é '));
  try {
    const at = (path: string) => locateLibrary({ SLMBENCH_LLAMA_LIB: path });
    expect(() => at(folder)).toThrow(/no libllama and libggml/u);
    for (const name of ['libllama.so.0.4.0', 'libggml.v0.4.0.so', 'libggml-base.so', 'libggml-cpu-x64.so', 'libllama-common.so']) {
      writeFileSync(join(folder, name), '');
    }
    expect(at(folder)).toMatchObject({
      llama: join(folder, 'libllama.so.0.4.0'),
      ggml: join(folder, 'libggml.v0.4.0.so'),
      ggmlBase: join(folder, 'libggml-base.so'),
      accelerator: 'custom',
      packageVersion: null,
    });
    expect(at(join(folder, 'libllama.so.0.4.0')).directory).toBe(folder);
    expect(() => at(join(folder, 'missing'))).toThrow(/does not exist/u);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('finds the installed package of this platform', () => {
  const found = locateLibrary({});
  expect(found.origin).toMatch(/^@node-llama-cpp\/.+@\d+\.\d+\.\d+$/u);
  expect(found.packageVersion).toMatch(/^\d+\.\d+\.\d+$/u);
});
