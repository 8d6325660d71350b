import { describe, expect, test } from 'vitest';
import { assembleProgram } from './assemble-program.ts';

const limits = { timeoutMs: 1000, memoryBytes: 1 };
const prompt = 'from typing import List\n\n\ndef helper(x):\n    return x\n\n\ndef add(a: int, b: int) -> int:\n    """Adds."""\n';
const tests = 'def check(candidate):\n    assert candidate(1, 2) == 3\n';
const human = (completion: string) => assembleProgram({ language: 'python', prompt, completion, tests, entryPoint: 'add' }, limits);

describe('HumanEval', () => {
  test.each([
    ['an indented body', '    return a + b\n'],
    ['a body without indentation', 'return a + b'],
    ['a body whose first line lost its indentation', 'c = a + b\n    return c'],
    ['a flat body of several lines', 'c = a + b\nreturn c'],
    ['a flat body with a block', 'if a:\n    return a + b\nreturn b'],
    ['blank lines first', '\n\n    return a + b'],
    ['Windows line ends', '    c = a\r\n    return c + b\r\n'],
  ])('continues the prompt with %s', (_, completion) => {
    const { program } = human(completion);
    expect(program.startsWith(prompt)).toBe(true);
    for (const line of program.slice(prompt.length).split('\n')) if (line.trim() !== '') expect(line).toMatch(/^ {4}/);
    expect(program).not.toContain('\r');
  });

  test('a completion that repeats the signature stands for itself, with the imports and helpers of the prompt', () => {
    const completion = 'def add(a: int, b: int) -> int:\n    return a + b\n';
    const { program } = human(completion);
    expect(program).toBe(`from typing import List\n\n\ndef helper(x):\n    return x\n\n${completion}`);
    expect(program.match(/def add/g)).toHaveLength(1);
  });

  test('check is called with the judged function, once', () => {
    expect(human('    return 3').tests).toBe(`${tests.trimEnd()}\n\ncheck(add)\n`);
    const called = assembleProgram(
      { language: 'python', prompt, completion: '    return 3', tests: `${tests}\ncheck(add)\n`, entryPoint: 'add' },
      limits,
    );
    expect(called.tests!.match(/^check\(/gm)).toHaveLength(1);
  });
});

test('MBPP: the judged function is the one that the tests call and the answer defines', () => {
  const request = assembleProgram(
    {
      language: 'python',
      completion: 'def similar(a, b):\n  return set(a) & set(b)',
      setup: 'import math',
      tests: 'assert set(similar((1,), (1,))) == set((1,))',
    },
    limits,
  );
  expect(request.entryPoint).toBe('similar');
  expect(request.program.startsWith('import math\n')).toBe(true);
});

test('JavaScript: a body continues the prompt, a whole function replaces it', () => {
  const parts = { language: 'javascript' as const, prompt: '// adds\nconst add = (a, b) => {\n', tests: 'check', entryPoint: 'add' };
  expect(assembleProgram({ ...parts, completion: '  return a + b;\n}\n' }, limits).program).toBe(
    '// adds\nconst add = (a, b) => {\n  return a + b;\n}\n',
  );
  expect(assembleProgram({ ...parts, completion: 'function add(a, b) { return a + b; }' }, limits).program).toBe(
    'function add(a, b) { return a + b; }',
  );
});
