// Splitting into pieces, and the message where the optional runtime is missing.
import { expect, test } from 'vitest';
import { loadOnnxRuntime } from './onnx-runtime.ts';
import { createWordPieceTokenizer } from './wordpiece-tokenizer.ts';

const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'play', '##ing', '##s', ',', 'cafe', '東', '京', '$', '5'];
const tokenizer = createWordPieceTokenizer(`${pieces.join('\n')}\n`);
const read = (text: string, maxTokens = 20) => tokenizer.encode(text, maxTokens).map((id) => pieces[id]);

test.each([
  ['Playing, plays', ['play', '##ing', ',', 'play', '##s']],
  ['CAFÉ\u200b', ['cafe']],
  ['東京$5', ['東', '京', '$', '5']],
  ['unknown play', ['[UNK]', 'play']],
  ['', []],
  [' \n\t', []],
])('%j', (text, expected) => expect(read(text)).toEqual(['[CLS]', ...expected, '[SEP]']));

test('a long text is cut, its end token kept', () =>
  expect(read('play '.repeat(50), 5)).toEqual(['[CLS]', 'play', 'play', 'play', '[SEP]']));

test('a megabyte of one word is one unknown piece, quickly', () =>
  expect(read('x'.repeat(1_000_000))).toEqual(['[CLS]', '[UNK]', '[SEP]']));

test('a vocabulary without special tokens is refused', () => expect(() => createWordPieceTokenizer('a\nb')).toThrow('[CLS]'));

test('a missing runtime is told with what to install', async () => {
  const missing = loadOnnxRuntime(() => Promise.reject(new Error("Cannot find package 'onnxruntime-node'")));
  await expect(missing).rejects.toMatchObject({ code: 'unavailable', hint: expect.stringContaining('npm install onnxruntime-node') });
});
