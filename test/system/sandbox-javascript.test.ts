import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeRunner, CodeRunRequest } from '../../src/core/ports/code-runner.ts';
import { openCodeRunner } from '../../src/sandbox/registry.ts';

const mebibyte = 1024 * 1024;
let runner: CodeRunner;
beforeAll(async () => {
  runner = await openCodeRunner('javascript');
});
afterAll(() => runner.close());

const run = (program: string, tests = '', more: Partial<CodeRunRequest> = {}) =>
  runner.run({ language: 'javascript', program, tests, timeoutMs: 3000, memoryBytes: 64 * mebibyte, ...more });

const judge = "const assert = require('node:assert');\nassert.deepStrictEqual(f([1, 2]), { sum: 3, list: [1, 2] });";

test('right code passes, wrong code fails with what differed', async () => {
  expect(await run('const f = (list) => { console.log("hi"); return { sum: list[0] + list[1], list }; }', judge)).toMatchObject({
    outcome: 'passed',
    detail: 'hi',
  });
  const wrong = await run('function f(list) { return { sum: 4, list }; }', judge);
  expect(wrong.outcome).toBe('failed');
  expect(wrong.detail).toContain('AssertionError');
  expect((await run('function (')).detail).toContain('SyntaxError');
});

test('console.assert and async tests count', async () => {
  expect((await run('const f = () => 1', 'console.assert(f() === 2, "f")')).outcome).toBe('failed');
  expect((await run('const f = () => 1', 'console.assert(f() === 1)')).outcome).toBe('passed');
  expect((await run('const f = async () => 1', "(async () => require('assert').equal(await f(), 2))()")).outcome).toBe('failed');
  expect((await run('const f = async () => 1', "(async () => require('assert').equal(await f(), 1))()")).outcome).toBe('passed');
  expect((await run('', 'new Promise(() => {})')).outcome).toBe('failed');
});

describe('a program cannot pass without passing its tests', () => {
  test.each([
    ['output', 'console.log("passed"); const f = () => 1'],
    ['unfinished comment', 'const f = () => 1; /*'],
    ['replaced require', 'globalThis.require = () => ({ deepStrictEqual() {} }); const f = () => 1'],
    ['replaced console', 'globalThis.console = { assert() {}, log() {} }; const f = () => 1'],
    ['edited assert', 'const a = require("assert"); try { a.deepStrictEqual = () => {}; } catch {} const f = () => 1'],
    ['replaced primitives', 'Object.is = () => true; Reflect.ownKeys = () => []; Array.isArray = () => true; const f = () => 1'],
    ['throwing away errors', 'globalThis.Error = class { constructor() { return {}; } }; const f = () => 1'],
    ['missing function', 'const g = 1'],
  ])('%s', async (_, program) => {
    expect((await run(program, `${judge}\nconsole.assert(f() === 2)`)).outcome).toBe('failed');
  });
});

describe('no way out', () => {
  test.each([
    'process.exit(0)',
    'require("fs")',
    'require("child_process")',
    'fetch("http://127.0.0.1")',
    'import("node:fs").then(() => {})',
    'new Worker("x")',
    'std.open("/etc/passwd", "r")',
    'os.exec(["true"])',
    'new Function("return process")().env',
    '(0, eval)("process").env',
  ])('%s', async (program) => {
    expect((await run(program)).outcome).toMatch(/failed|crashed/);
  });
});

test('limits: loops, memory, recursion, regular expressions', async () => {
  expect((await run('while (true) {}', '', { timeoutMs: 500 })).outcome).toBe('timeout');
  expect((await run('try { while (true) {} } finally { while (true) {} }', '', { timeoutMs: 500 })).outcome).toBe('timeout');
  expect((await run('(async () => { while (true) await 0; })()', '', { timeoutMs: 500 })).outcome).toBe('timeout');
  expect((await run(`/^(a+)+$/.test('${'a'.repeat(40)}b')`, '', { timeoutMs: 500 })).outcome).toMatch(/timeout|failed/);
  expect((await run('let a = [1]; while (true) a = a.concat(a);', '', { timeoutMs: 30_000 })).outcome).toBe('memory');
  expect((await run('const f = () => f(); f()')).outcome).toBe('failed');
  expect((await run('const f = () => 1', 'console.assert(f() === 1)')).outcome).toBe('passed');
});

test('each program has a realm of its own', async () => {
  await run('globalThis.leak = 1; Array.prototype.leak = 1; Object.is = null;');
  expect((await run('', 'console.assert(typeof leak === "undefined" && [].leak === undefined && Object.is !== null)')).outcome).toBe(
    'passed',
  );
});
