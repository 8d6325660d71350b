import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { llamaPerplexityWindows, lmEvalWindows, type RollingWindow, stridedWindows } from './rolling-windows.ts';

const tokens = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 60 });
const length = fc.integer({ min: 2, max: 12 });
const targets = (windows: readonly RollingWindow[]) => windows.flatMap((window) => window.targets);

describe('rolling windows', () => {
  it('lm-eval: the documented example of 10 tokens and length 4', () => {
    const windows = lmEvalWindows([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], -1, 4);
    expect(windows).toEqual([
      { input: [-1, 0, 1, 2], firstRead: 0, targets: [0, 1, 2, 3] },
      { input: [3, 4, 5, 6], firstRead: 0, targets: [4, 5, 6, 7] },
      { input: [5, 6, 7, 8], firstRead: 2, targets: [8, 9] },
    ]);
  });

  it('lm-eval and strided windows score each token once, in order, and never pass the length', () => {
    fc.assert(
      fc.property(tokens, length, fc.integer({ min: 1, max: 12 }), (text, size, step) => {
        const stride = Math.min(step, size);
        for (const windows of [lmEvalWindows(text, 0, size), stridedWindows(text, 0, size, stride)]) {
          expect(targets(windows)).toEqual(text);
          for (const window of windows) {
            expect(window.input.length).toBeLessThanOrEqual(size);
            expect(window.firstRead + window.targets.length).toBe(window.input.length);
            expect(window.firstRead).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });

  it('every read sees exactly the tokens before its target', () => {
    fc.assert(
      fc.property(tokens, length, (text, size) => {
        for (const { input, firstRead, targets: list } of lmEvalWindows(text, 0, size)) {
          expect(input.slice(firstRead + 1)).toEqual(list.slice(0, -1));
        }
      }),
    );
  });

  it('llama-perplexity: whole windows, BOS forced, second half scored', () => {
    const windows = llamaPerplexityWindows([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, 4);
    expect(windows).toEqual([
      { input: [0, 2, 3], firstRead: 2, targets: [4] },
      { input: [0, 6, 7], firstRead: 2, targets: [8] },
    ]);
    expect(llamaPerplexityWindows([1, 2, 3], 0, 4)).toEqual([]);
  });
});
