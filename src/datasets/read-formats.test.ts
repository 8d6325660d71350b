import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { DatasetSplit } from '../core/dataset.ts';
import { canonicalJson } from '../core/json.ts';
import type { LoadOptions } from './load-options.ts';
import { loadDataset } from './registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats ä-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = (name: string) => fileURLToPath(new URL(`__fixtures__/${name}`, import.meta.url));
const options: LoadOptions = { offline: true, cacheDirectory: join(folder, 'cache') };
const loadPath = async (path: string, extra: Partial<LoadOptions> = {}): Promise<DatasetSplit> => {
  const dataset = await loadDataset(path, { ...options, ...extra });
  return await dataset.split(dataset.splitNames[0]!);
};
let count = 0;
const loadText = async (name: string, content: string | Uint8Array, extra: Partial<LoadOptions> = {}) => {
  const path = join(folder, `${count++}-${name}`);
  writeFileSync(path, content);
  return await loadPath(path, extra);
};
const write = (name: string, content: string): string => {
  const path = join(folder, `${count++}-${name}`);
  writeFileSync(path, content);
  return path;
};
const fieldsOf = (split: DatasetSplit) => split.rows.map((row) => row.fields);

const expected = [
  {
    id: 1,
    text: 'a',
    label: 1,
    nested: [['x'], []],
    struct: { a: 1 },
    choices: { text: ['p', 'q'], label: ['A', 'B'] },
    when: '2024-01-02T03:04:05.000Z',
    flag: true,
    score: 0.5,
    name: 'a',
  },
  {
    id: 2,
    text: null,
    label: 0,
    nested: null,
    struct: null,
    choices: { text: ['p', 'q'], label: ['A', 'B'] },
    when: '2024-01-02T03:04:05.000Z',
    flag: false,
    score: null,
    name: 'b',
  },
  {
    id: '9007199254740993',
    text: 'ü €',
    label: 1,
    nested: [],
    struct: { a: null },
    choices: { text: ['p', 'q'], label: ['A', 'B'] },
    when: '2024-01-02T03:04:05.000Z',
    flag: null,
    score: null,
    name: 'a',
  },
  {
    id: 4,
    text: 'd',
    label: -1,
    nested: [['y', null]],
    struct: { a: 4 },
    choices: { text: ['p', 'q'], label: ['A', 'B'] },
    when: '2024-01-02T03:04:05.000Z',
    flag: true,
    score: 2,
    name: 'b',
  },
];

test.each([
  'rows.zstd.parquet',
  'rows.snappy.parquet',
  'rows.gzip.parquet',
  'rows.none.parquet',
  'rows.brotli.parquet',
  'rows.lz4.parquet',
  'rows.stream.arrow',
  'rows.file.arrow',
  'rows.lz4.arrow',
  'rows.zstd.arrow',
])('%s: integers, nulls, nested lists, structs, times and class names arrive as plain JSON', async (name) => {
  const split = await loadPath(fixture(name));
  expect(fieldsOf(split)).toEqual(expected);
  expect(JSON.parse(JSON.stringify(fieldsOf(split)))).toEqual(expected);
  expect(split.classNames).toEqual({ label: ['negative', 'positive'] });
  expect(split.notes).toEqual(['1 of 4 rows have a hidden label (-1): they cannot be scored']);
});

test('the same rows have the same ids and manifest in every format', async () => {
  const jsonl = expected.map((row) => JSON.stringify(row)).join('\n');
  const splits = await Promise.all([
    loadPath(fixture('rows.zstd.parquet')),
    loadPath(fixture('rows.stream.arrow')),
    loadText('a.jsonl', jsonl),
    loadText('a.json', JSON.stringify(expected)),
    loadText('a.jsonl.gz', gzipSync(jsonl)),
  ]);
  expect(new Set(splits.map((split) => split.manifest)).size).toBe(1);
  expect(splits[0]!.rows[0]!.id).toMatch(/^[0-9a-f]{16}$/);
});

test.each<[string, string, string, unknown[]]>([
  ['quoted comma', 'a.csv', 'question,answer\n"a,b",c\n', [{ question: 'a,b', answer: 'c' }]],
  ['tab', 'a.tsv', 'q\ta\nx\ty\n', [{ q: 'x', a: 'y' }]],
  ['semicolon', 'a.csv', 'q;a\nx;"y, z"\n', [{ q: 'x', a: 'y, z' }]],
  ['mark', 'a.csv', '\uFEFFq,a\r\n1,2\r\n', [{ q: '1', a: '2' }]],
  ['old Mac line ends', 'a.csv', 'q,a\r1,2\r', [{ q: '1', a: '2' }]],
  ['newline inside quotes', 'a.csv', 'q,a\n"one\ntwo",3\n', [{ q: 'one\ntwo', a: '3' }]],
  ['doubled quote', 'a.csv', 'q,a\n"say ""hi""",3\n', [{ q: 'say "hi"', a: '3' }]],
  ['CRLF lines', 'a.jsonl', '{"q":1}\r\n{"q":2}\r\n', [{ q: 1 }, { q: 2 }]],
  ['mark before JSON', 'a.jsonl', '\uFEFF{"q":1}\n', [{ q: 1 }]],
  ['array', 'a.json', '[{"q":1},{"q":2}]', [{ q: 1 }, { q: 2 }]],
  ['array in a jsonl file', 'a.jsonl', '[{"q":1},\n{"q":2}]', [{ q: 1 }, { q: 2 }]],
  ['lines in a json file', 'a.json', '{"q":1}\n{"q":2}\n', [{ q: 1 }, { q: 2 }]],
  ['object with data', 'a.json', '{"version":1,"data":[{"q":1}]}', [{ q: 1 }]],
  ['digits beyond 2^53', 'a.jsonl', '{"q":9007199254740993}', [{ q: '9007199254740993' }]],
  ['text', 'a.txt', 'one\n\ntwo', [{ text: 'one' }, { text: 'two' }]],
])('%s', async (_title, name, content, rows) => {
  expect(fieldsOf(await loadText(name, content))).toEqual(rows);
});

test.each<[string, string, string | Uint8Array, RegExp]>([
  ['uneven row', 'a.csv', 'q,a\nx\n', /:2: line 2 has 1 field, expected 2/],
  ['uneven row after a quoted newline', 'a.csv', 'q,a\n"x\ny",1\nz\n', /line 4 has 1 field/],
  ['duplicate column', 'a.csv', 'q,q\n1,2\n', /duplicate column q/],
  ['open quote', 'a.csv', 'q,a\n"x,1\n', /Quote/],
  ['empty', 'a.csv', '', /0 rows/],
  ['header only', 'a.csv', 'q,a\n', /0 rows/],
  ['empty JSON lines', 'a.jsonl', '\n\n', /0 rows/],
  ['trailing commas', 'a.jsonl', '{"q":1},\n{"q":2},\n', /:1: trailing comma/],
  ['NaN', 'a.jsonl', '{"q":1}\n{"q":NaN}\n', /:2: NaN/],
  ['a string row', 'a.jsonl', '"text"\n', /:1: expected an object/],
  ['a list row', 'a.jsonl', '[1,2]\n[3]\n', /:1: expected an object/],
  ['half a line', 'a.jsonl', '{"q":1}\n{"q":\n', /:2:/],
  ['an error page', 'a.parquet', '<html>404</html>', /not a parquet file/],
  ['not arrow', 'a.arrow', 'hello world, this is text', /arrow/],
  ['latin-1', 'a.jsonl', Buffer.from('{"q":1}\n{"q":"\xe4"}\n', 'latin1'), /:2: the bytes are not utf-8/],
  ['UTF-16', 'a.jsonl', Buffer.from('\uFEFF{"q":1}', 'utf16le'), /UTF-16/],
  ['UTF-16 without its mark', 'a.csv', Buffer.from('q,a\nx,y\n', 'utf16le'), /UTF-16 \(utf-16le, without a byte order mark\)/],
  ['UTF-16 JSON without its mark', 'a.json', Buffer.from('[{"q":1}]', 'utf16le').swap16(), /UTF-16 \(utf-16be/],
  ['gzip bomb', 'a.jsonl.gz', gzipSync(Buffer.alloc(300_000_000)), /unpacks to more than/],
  ['damaged gzip', 'a.jsonl.gz', gzipSync('{"q":1}\n'.repeat(1000)).subarray(0, 30), /gzip/],
])('%s is refused with the place', async (_title, name, content, message) => {
  await expect(loadText(name, content)).rejects.toMatchObject({ name: 'ToolError', message: expect.stringMatching(message) });
});

test('a JSON file with a member for each split is read as splits', async () => {
  const text = JSON.stringify({ version: 1, train: [{ q: 1 }, { q: 2 }], val: [{ q: 3 }], Test: [{ q: 4 }], extra: [5] });
  const dataset = await loadDataset(write('splits.json', text), options);
  expect(dataset.splitNames).toEqual(['train', 'validation', 'test']);
  expect(fieldsOf(await dataset.split('train'))).toEqual([{ q: 1 }, { q: 2 }]);
  expect(fieldsOf(await dataset.split('test'))).toEqual([{ q: 4 }]);
  await expect(dataset.split('hard')).rejects.toMatchObject({
    code: 'not-found',
    hint: expect.stringContaining('train, validation, test'),
  });
  const named = await loadDataset(write('named.json', JSON.stringify({ easy: [{ q: 1 }], hard: [{ q: 2 }] })), options);
  expect(fieldsOf(await named.split('hard'))).toEqual([{ q: 2 }]);
  const one = await loadDataset(write('one.json', JSON.stringify({ test: 'a', choices: ['a', 'b'] })), options);
  expect(fieldsOf(await one.split('test'))).toEqual([{ test: 'a', choices: ['a', 'b'] }]);
});

test('a folder of text files: splits and labels are its folders', async () => {
  const place = join(folder, 'reviews');
  const texts = { 'train/pos/1.txt': 'fine\n', 'train/neg/2.txt': 'bad', 'test/pos/3.txt': 'grün', 'README.txt': 'about' };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  rmSync(join(place, 'README.txt'));
  const dataset = await loadDataset(place, options);
  expect(dataset.splitNames).toEqual(['test', 'train']);
  expect(fieldsOf(await dataset.split('train'))).toEqual([
    { text: 'bad', file: 'train/neg/2.txt', label: 'neg' },
    { text: 'fine', file: 'train/pos/1.txt', label: 'pos' },
  ]);
  expect(fieldsOf(await dataset.split('test'))).toEqual([{ text: 'grün', file: 'test/pos/3.txt', label: 'pos' }]);
  writeFileSync(join(place, 'test/pos/3.txt'), Buffer.from('gr\xfcn', 'latin1'));
  await expect((await loadDataset(place, options)).split('test')).rejects.toMatchObject({
    code: 'data',
    message: expect.stringMatching(/3\.txt: the bytes are not utf-8/),
  });
});

test('rows that share the id of the file are named; they are told apart by their content', async () => {
  const split = await loadText('a.jsonl', '{"id":"x","q":1}\n{"id":"y","q":2}\n{"id":"x","q":3}\n');
  expect(new Set(split.rows.map((row) => row.id)).size).toBe(3);
  expect(split.notes).toEqual(['id "x" stands on 2 rows; rows are told apart by their content']);
});

test('a repeated key warns, a hostile key changes nothing', async () => {
  expect((await loadText('a.jsonl', '{"q":1,"q":2}\n')).notes[0]).toContain('key "q" stands twice');
  expect((await loadText('a.jsonl', '{"q":{"q":1},"r":["q",{"q":2}]}\n')).notes).toEqual([]);
  const split = await loadText('a.jsonl', '{"__proto__":{"x":1},"q":1}\n');
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(Object.keys(split.rows[0]!.fields)).toEqual(['__proto__', 'q']);
});

test('a UTF-16 CSV with its mark is read', async () => {
  expect(fieldsOf(await loadText('a.csv', Buffer.from('\uFEFFq,a\n1,ä\n', 'utf16le')))).toEqual([{ q: '1', a: 'ä' }]);
});

test('one very long line is read', async () => {
  const split = await loadText('a.jsonl', `{"q":"${'x'.repeat(64 * 1024 * 1024)}"}\n`);
  expect(String(split.rows[0]!.fields['q']).length).toBe(64 * 1024 * 1024);
});

test('sentence@label: the last @ splits, a line without a label is named and dropped only when asked', async () => {
  const bytes = Buffer.from('Profit rose to 5 mn@positive\nMail a@b.com for d\xe9tails .@neutral\n1\n', 'latin1');
  await expect(loadText('a.txt', bytes, { format: 'labelled-lines' })).rejects.toMatchObject({
    code: 'data',
    message: expect.stringContaining('line 3 has no label'),
  });
  const split = await loadText('a.txt', bytes, { format: 'labelled-lines', skipBadRows: true });
  expect(fieldsOf(split)).toEqual([
    { sentence: 'Profit rose to 5 mn', label: 'positive' },
    { sentence: 'Mail a@b.com for détails .', label: 'neutral' },
  ]);
  expect(split.notes[0]).toContain('line 3');
});

test('repeated rows keep their place with a suffix and a note; ids ignore key order', async () => {
  const split = await loadText('a.jsonl', '{"q":1,"a":2}\n{"a":2,"q":1}\n{"q":3}\n');
  expect(split.rows[1]!.id).toBe(`${split.rows[0]!.id}-2`);
  expect(split.notes).toEqual(['1 row repeats another exactly; their ids carry a suffix']);
});

test('roles name columns without touching ids; an unknown column names the nearest', async () => {
  const plain = await loadText('a.jsonl', '{"Frage":"x","y":1}\n');
  const named = await loadText('b.jsonl', '{"Frage":"x","y":1}\n', { columns: { question: 'Frage' } });
  expect(named.rows[0]!).toEqual({ id: plain.rows[0]!.id, fields: { Frage: 'x', y: 1, question: 'x' } });
  await expect(loadText('c.jsonl', '{"Frage":"x"}\n', { columns: { question: 'Frge' } })).rejects.toMatchObject({
    hint: 'did you mean "Frage"?',
  });
});

test('unknown names, splits, schemes and files say what is near', async () => {
  await expect(loadDataset('arc-esay', options)).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('arc-easy') });
  await expect(loadDataset('mmlu:anatomi', options)).rejects.toMatchObject({ code: 'not-found', hint: 'did you mean "anatomy"?' });
  await expect(loadDataset(join(folder, 'nothing.jsonl'), options)).rejects.toMatchObject({ code: 'not-found' });
  const dataset = await loadDataset('sentiment-mini', options);
  await expect(dataset.split('tset')).rejects.toMatchObject({ code: 'not-found', hint: 'did you mean "test"?' });
});

test('any JSON rows survive the way through a JSON Lines file', async () => {
  // Whole numbers beyond 2^53 become text, which has its own test.
  const row = fc
    .dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 })
    .filter((item) => !/\d{16}/.test(JSON.stringify(item)));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const split = await loadText('p.jsonl', rows.map((item) => JSON.stringify(item)).join('\n'));
      expect(split.rows.map((item) => canonicalJson(item.fields))).toEqual(
        rows.map((item) => canonicalJson(JSON.parse(JSON.stringify(item)))),
      );
      expect(new Set(split.rows.map((item) => item.id)).size).toBe(rows.length);
    }),
    { numRuns: 40 },
  );
});
