import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName, safeFileName } from './names.ts';

test('a typo finds the name that was meant, nonsense finds none', () => {
  const known = ['smollm2-135m', 'qwen2.5-3b', 'phi3-mini'];
  expect(nearestName('smolm2-135m', known)).toBe('smollm2-135m');
  expect(nearestName('phi3', known)).toBe('phi3-mini');
  expect(nearestName('smolm2', known)).toBe('smollm2-135m');
  expect(nearestName('smmol', known)).toBeUndefined();
  expect(nearestName('zzzzzzzz', known)).toBeUndefined();
});

test('edit distance is a metric', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      const distance = editDistance(a, b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance === 0).toBe(a === b);
    }),
  );
});

test('no text becomes a path: separators, reserved names, dots and control characters are gone', () => {
  expect(safeFileName('../../etc/passwd')).toBe('etc-passwd');
  expect(safeFileName('CON')).toBe('_CON');
  expect(safeFileName('hf:owner/repo:Q4')).toBe('hf-owner-repo-Q4');
  fc.assert(
    fc.property(fc.string(), (text) => {
      const name = safeFileName(text);
      expect(name).not.toMatch(/[/\\:*?"<>|\u0000-\u001f]/);
      expect(name.startsWith('.')).toBe(false);
      expect(name.length).toBeGreaterThan(0);
    }),
  );
});
