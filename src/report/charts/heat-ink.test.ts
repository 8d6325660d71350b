import { expect, test } from 'vitest';
import { darkChartTheme, lightChartTheme } from './chart-theme.ts';
import { inkOnHeat } from './heat-ink.ts';

test.each([
  ['light', lightChartTheme, '#101820', '#ffffff'],
  ['dark', darkChartTheme, '#ffffff', '#101820'],
])('on the %s scale the ink turns once, from one end to the other', (_, theme, first, last) => {
  const inks = Array.from({ length: 101 }, (__, at) => inkOnHeat(at / 100, theme));
  expect(inks[0]).toBe(first);
  expect(inks[100]).toBe(last);
  expect(inks.filter((ink, at) => at > 0 && ink !== inks[at - 1])).toHaveLength(1);
});
