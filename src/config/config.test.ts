import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfig } from './resolve-config.ts';
import { runRecipeSchema } from './run-recipe.ts';
import { validate } from './validate.ts';
import { parseYamlDocument } from './yaml-document.ts';

async function folder(files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'slmbench config ü '));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

test('a mistyped key is named with its line, column and nearest key', () => {
  const document = parseYamlDocument('models: [toy]\nrun:\n  sampels: 5\n', 'r.yml');
  expect(() => validate(runRecipeSchema, document.value, document.locate, 'recipe')).toThrow(
    /r\.yml:3:3: unknown key "run\.sampels"; did you mean "samples"/,
  );
});

test('a wrong value says what was found and expected', () => {
  const document = parseYamlDocument('run: { seed: fast }\n', 'r.yml');
  expect(() => validate(runRecipeSchema, document.value, document.locate, 'recipe')).toThrow(
    /r\.yml:1:14: "run\.seed" is "fast": expected number/,
  );
});

test('a wrong key inside a union member is found too', () => {
  const document = parseYamlDocument('tasks:\n  - name: arc-easy\n    shotz: 3\n', 'r.yml');
  expect(() => validate(runRecipeSchema, document.value, document.locate, 'recipe')).toThrow(/shotz/);
});

test('broken YAML, duplicate keys and tags are errors with positions', () => {
  expect(() => parseYamlDocument('a: [1, 2\n', 'b.yml')).toThrow(/not valid YAML/);
  expect(() => parseYamlDocument('a: 1\na: 2\n', 'b.yml')).toThrow(/unique/i);
  expect(() => parseYamlDocument('a:\n  b: {{ text }}\n', 'b.yml')).toThrow(/a key is a map/);
  expect(() => parseYamlDocument('a: !!js/function "x"\n', 'b.yml')).toThrow(/not plain YAML/);
});

test('extends, --set and interpolation give one value with origins', async () => {
  const path = await folder({
    'base.yml': 'name: base\nrun: { seed: 1, samples: 10 }\n',
    'mine.yml': 'extends: base.yml\nname: mine-${run.seed}\nrun:\n  samples: 20\n',
  });
  const config = await resolveConfig(join(path, 'mine.yml'), ['run.seed=7', 'models=[toy]']);
  expect(config.value).toEqual({ name: 'mine-7', run: { seed: 7, samples: 20 }, models: ['toy'] });
  expect(config.origins.get('run.samples')).toMatch(/mine\.yml:4:12$/);
  expect(config.origins.get('run.seed')).toBe('--set run.seed');
  expect(config.files.map((file) => file.split('/').at(-1))).toEqual(['mine.yml', 'base.yml']);
});

test('circles and unknown references are refused', async () => {
  const path = await folder({
    'a.yml': 'extends: b.yml\n',
    'b.yml': 'extends: a.yml\n',
    'c.yml': 'x: ${y.z}\ny: { q: 1 }\n',
    'd.yml': 'x: ${x}\n',
  });
  await expect(resolveConfig(join(path, 'a.yml'))).rejects.toThrow(/circle/);
  await expect(resolveConfig(join(path, 'c.yml'))).rejects.toThrow(/names nothing/);
  await expect(resolveConfig(join(path, 'd.yml'))).rejects.toThrow(/itself/);
});
