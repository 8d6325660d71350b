// Which tensor types a quantisation really holds: widths that do not fit its blocks fall back to other types without a word.
import type { GgufFacts } from '../../../formats/gguf-facts.ts';

/** Types that a file of this name is expected to hold. Norms and other small tensors stay F32. */
const expectedTypes: Readonly<Record<string, readonly string[]>> = {
  F32: ['F32'],
  F16: ['F16'],
  BF16: ['BF16'],
  Q8_0: ['Q8_0'],
  Q6_K: ['Q6_K', 'Q8_0'],
  Q5_K_M: ['Q5_K', 'Q6_K'],
  Q5_K_S: ['Q5_K', 'Q6_K'],
  Q5_1: ['Q5_1', 'Q6_K'],
  Q5_0: ['Q5_0', 'Q6_K'],
  Q4_K_M: ['Q4_K', 'Q6_K'],
  Q4_K_S: ['Q4_K', 'Q5_K', 'Q6_K'],
  Q4_1: ['Q4_1', 'Q6_K'],
  Q4_0: ['Q4_0', 'Q6_K'],
  IQ4_NL: ['IQ4_NL', 'Q5_K', 'Q6_K'],
  IQ4_XS: ['IQ4_XS', 'Q5_K', 'Q6_K'],
  Q3_K_L: ['Q3_K', 'Q5_K', 'Q6_K'],
  Q3_K_M: ['Q3_K', 'Q4_K', 'Q5_K', 'Q6_K'],
  Q3_K_S: ['Q3_K', 'Q6_K'],
  Q2_K: ['Q2_K', 'Q3_K', 'Q4_K', 'Q6_K'],
};

const plainTypes: ReadonlySet<string> = new Set(['F32', 'F16', 'BF16']);

/** Sentences on weights that are in other types than the name says; empty when all is as named. */
export function tensorFallbacks(facts: GgufFacts): string[] {
  const expected = expectedTypes[facts.quantisation];
  if (expected === undefined) return [];
  return Object.entries(facts.tensorTypes)
    .filter(([type, { elements }]) => type !== 'F32' && !expected.includes(type) && elements > 0)
    .map(([type, { elements, tensors }]) => {
      const share = ((elements / facts.parameters) * 100).toFixed(1);
      // Plain floats have no blocks that a width could miss.
      if (plainTypes.has(facts.quantisation)) return `${share} % of the weights (${tensors} tensors) are ${type}`;
      return `${share} % of the weights (${tensors} tensors) are ${type}: their width does not fit the blocks of ${facts.quantisation}`;
    });
}
