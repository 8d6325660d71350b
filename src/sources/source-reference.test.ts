import { expect, test } from 'vitest';
import { parseSourceReference, redactUrl } from './source-reference.ts';

test.each([
  ['hf:a/b/c/d.gguf', { kind: 'hf', repositoryKind: 'models', repository: 'a/b', revision: 'main', path: 'c/d.gguf' }],
  [
    'hf:datasets/a/b@refs%2Fconvert%2Fparquet/x.parquet',
    { kind: 'hf', repositoryKind: 'datasets', repository: 'a/b', revision: 'refs/convert/parquet', path: 'x.parquet' },
  ],
  ['pypi:llm-x==0.1.2!/a/b.gguf', { kind: 'pypi', package: 'llm-x', version: '0.1.2', path: 'a/b.gguf' }],
  [`pypi:x==1#sha256=${'a'.repeat(64)}!/m`, { kind: 'pypi', package: 'x', version: '1', wheelSha256: 'a'.repeat(64), path: 'm' }],
  ['file:/tmp/a b.gguf', { kind: 'file', path: '/tmp/a b.gguf' }],
  ['file:///tmp/a%20b.gguf', { kind: 'file', path: '/tmp/a b.gguf' }],
  ['builtin:x.jsonl', { kind: 'builtin', name: 'x.jsonl' }],
])('%s', (text, expected) => {
  expect(parseSourceReference(text)).toMatchObject(expected);
});

test('parts, unknown schemes and paths that leave the repository', () => {
  expect(parseSourceReference('pypi:a==1!/x + pypi:b==1!/y')).toMatchObject({ kind: 'parts', parts: [{ package: 'a' }, { package: 'b' }] });
  expect(() => parseSourceReference('hff:a/b/c')).toThrow(expect.objectContaining({ code: 'usage', hint: 'did you mean "hf"?' }));
  for (const bad of ['hf:a/b/../c', 'hf:a/b/c\\..\\d', 'hf:a/b', 'pypi:x!/y', 'pypi:--evil==1!/y', 'pypi:x==--y!/z', 'plain.gguf']) {
    expect(() => parseSourceReference(bad), bad).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});

test('secrets in addresses are not shown', () => {
  expect(redactUrl('https://me:pw@host/x?X-Amz-Signature=abc&n=1')).toBe('https://redacted@host/x?X-Amz-Signature=redacted&n=1');
});
