// A build whose structs differ is refused before it is called.
import { expect, it } from 'vitest';
import { checkLayout, expectedDefaults } from './native-structs.ts';

it('accepts the known layout and names what differs in another', () => {
  const known = expectedDefaults.llama_context_default_params;
  expect(() => checkLayout('llama_context_default_params', { ...known }, '1')).not.toThrow();
  expect(() => checkLayout('llama_context_default_params', { ...known, n_samplers: 0n }, '1')).not.toThrow();
  const shifted = { ...known, n_ubatch: 1, type_k: 7 };
  expect(() => checkLayout('llama_context_default_params', shifted, '9.9')).toThrow(/9\.9.*n_ubatch = 1, expected 512; type_k = 7/u);
});
