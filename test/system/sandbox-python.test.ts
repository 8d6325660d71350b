import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeRunner, CodeRunRequest } from '../../src/core/ports/code-runner.ts';
import { openCodeRunner } from '../../src/sandbox/registry.ts';

const mebibyte = 1024 * 1024;
let runner: CodeRunner;
beforeAll(async () => {
  runner = await openCodeRunner('python');
});
afterAll(() => runner.close());

const run = (program: string, tests = '', more: Partial<CodeRunRequest> = {}) =>
  runner.run({ language: 'python', program, tests, timeoutMs: 5000, memoryBytes: 128 * mebibyte, ...more });

test('right code passes, wrong code fails with the failing assertion', async () => {
  expect(await run('def f(x):\n    print("hi")\n    return x + 1', 'assert f(1) == 2', { entryPoint: 'f' })).toMatchObject({
    outcome: 'passed',
    detail: 'hi',
  });
  const wrong = await run('def f(x): return x', 'assert f(1) == 2, "off by one"', { entryPoint: 'f' });
  expect(wrong.outcome).toBe('failed');
  expect(wrong.detail).toContain('off by one');
  expect((await run('def f(:')).detail).toContain('SyntaxError');
});

test('what solutions commonly use is there', async () => {
  const program = `
from typing import List, Optional
import math, re, collections, itertools, functools, heapq, bisect, random, json, datetime, hashlib, statistics, decimal, fractions, dataclasses, enum, string, copy
@dataclasses.dataclass
class Point:
    x: int
def f(values: List[int]) -> Optional[Point]:
    return Point(sum(values))
`;
  expect(
    await run(program, 'assert f([1, 2]).x == 3 and hashlib.md5(b"").hexdigest().startswith("d41d")', { entryPoint: 'f' }),
  ).toMatchObject({ outcome: 'passed' });
});

describe('a program cannot pass without passing its tests', () => {
  test.each([
    ['exit', 'import sys\nsys.exit(0)'],
    ['exit by exception', 'raise SystemExit(0)'],
    ['hard exit', 'import os\nos._exit(0)'],
    ['print', 'print("passed")\nprint(\'{"outcome":"passed"}\')'],
    ['open string that would swallow the tests', 'def f(): return 1\nx = """'],
    [
      'replaced exec and compile',
      'import builtins\nbuiltins.exec = builtins.compile = builtins.eval = lambda *a, **k: None\ndef f(): return 1',
    ],
    [
      'replaced AssertionError',
      'import builtins\nclass Never(Exception): pass\nbuiltins.AssertionError = Never\nAssertionError = Never\ndef f(): return 1',
    ],
    ['a value that equals everything', 'class Any:\n    def __eq__(self, other): return True\ndef f(): return Any()'],
    [
      'such a value in a list',
      'class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\ndef f(): return [Any()]',
    ],
    ['replaced len, shadowed in the program', 'def len(x): return 2\ndef abs(x): return 0\ndef f(): return 1'],
    [
      'built-ins replaced during the call',
      'import builtins\ndef f():\n    builtins.abs = lambda x: 2\n    builtins.len = lambda x: 2\n    return 1',
    ],
    ['trace that jumps over lines', 'import sys\nsys.settrace(lambda *a: None)\ndef f(): return 1'],
    ['patched interpreter helpers', 'import _pyodide._base as b\nb.eval_code = lambda *a, **k: None\ndef f(): return 1'],
    [
      'replaced excepthook and traceback',
      'import sys, traceback\nsys.excepthook = lambda *a: None\ntraceback.TracebackException = None\ndef f(): return 1',
    ],
    ['changed judge', 'import __main__\n__main__.judged_namespace.__closure__\ndef f(): return 1'],
    ['exit inside the call', 'import sys\ndef f(): sys.exit(0)'],
    ['redefined check', 'def check(*a): return True\ndef f(): return 1'],
    ['endless generator', 'def f():\n    while True: pass'],
  ])('%s', async (_, program) => {
    const result = await run(
      program,
      'def check(candidate):\n    assert abs(candidate() - 2) == 0 if isinstance(candidate(), int) else candidate() == [2]\n    assert len("a") == 1\ncheck(f)',
      {
        entryPoint: 'f',
        timeoutMs: 2000,
      },
    );
    expect(result.outcome).not.toBe('passed');
  });

  test('an honest object with its own equality still passes', async () => {
    const program =
      'class P:\n    def __init__(s, x): s.x = x\n    def __eq__(s, o): return isinstance(o, P) and s.x == o.x\ndef f(): return P(2)';
    expect(await run(program, 'assert f() == P(2)', { entryPoint: 'f' })).toMatchObject({ outcome: 'passed' });
  });
});

describe('no way out', () => {
  test.each([
    ['js module', 'import js'],
    ['pyodide_js module', 'import pyodide_js'],
    ['run_js', 'from pyodide.code import run_js\nrun_js("1")'],
    ['core run_js', 'import _pyodide_core\n_pyodide_core.run_js("1")'],
    ['cleared module table', 'import sys\nfor n in ("js", "pyodide_js", "pyodide"): sys.modules.pop(n, None)\nimport js'],
    [
      'second copy of the core',
      'import sys\nfor n in [n for n in sys.modules if "pyodide" in n]: del sys.modules[n]\nimport _pyodide_core\n_pyodide_core.create_proxy(lambda: 1)',
    ],
    [
      'second copy by its loader',
      'import sys, _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec("_pyodide_core", m.BuiltinImporter))',
    ],
    ['import hook', 'import sys\n[f for f in sys.meta_path if hasattr(f, "jsproxies")][0].jsproxies["js"]'],
    ['loop functions', 'import asyncio\nasyncio.new_event_loop().call_later.__globals__["scheduleCallback"]'],
    ['ctypes', 'import ctypes'],
    ['host file', 'open("/proc/self/environ").read()'],
    ['host passwords', 'open("/etc/passwd").read()'],
    ['writing', 'open("/tmp/x", "w").write("x")'],
    ['directory', 'import os\nos.mkdir("/tmp/d")'],
    ['shell', 'import os\nassert os.system("true") == 0'],
    ['posix shell', 'import posix\nassert posix.system("true") == 0'],
    ['subprocess', 'import subprocess\nsubprocess.run(["true"], check=True)'],
    ['fork', 'import os\nos.fork()'],
    ['thread bomb', 'import threading\nfor _ in range(1000): threading.Thread(target=lambda: None).start()'],
    ['url', 'import urllib.request\nurllib.request.urlopen("http://127.0.0.1:9/")'],
    ['fetch', 'from pyodide.http import pyfetch'],
  ])('%s', async (_, program) => {
    const result = await run(program, 'escaped = True');
    expect(result.outcome).toMatch(/failed|crashed/);
  });

  test('no JavaScript object is left to find', async () => {
    const program = `
import sys, types
seen, todo, found = set(), [m for m in sys.modules.values() if m is not None], []
todo.append(object.__subclasses__())
while todo and len(seen) < 300000:
    value = todo.pop()
    if id(value) in seen: continue
    seen.add(id(value))
    if isinstance(value, types.ModuleType) and value.__name__ == "_pyodide_core": found.append(value)
    if isinstance(value, types.BuiltinFunctionType) and getattr(value.__self__, "__name__", "") == "_pyodide_core": found.append(value)
    if type(value).__name__ == "JsProxy" or "JsProxy" in [t.__name__ for t in type(value).__mro__] and not isinstance(value, type): found.append(value)
    if isinstance(value, dict): todo.extend(value.keys()); todo.extend(value.values())
    elif isinstance(value, (list, tuple, set, frozenset)): todo.extend(value)
    elif isinstance(value, types.FunctionType): todo.extend([value.__globals__, value.__closure__, value.__defaults__])
    elif isinstance(value, types.CellType):
        try: todo.append(value.cell_contents)
        except ValueError: pass
    else:
        try: todo.append(object.__getattribute__(value, "__dict__"))
        except Exception: pass
        if isinstance(value, type): todo.append(dict(value.__dict__))
assert not found, found
`;
    expect(await run(program)).toMatchObject({ outcome: 'passed' });
  });

  test('no shell command runs and no connection arrives', async () => {
    const mark = '/tmp/slmbench-sandbox-escape';
    rmSync(mark, { force: true });
    let connections = 0;
    const server = createServer(() => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await run(`import os, importlib, posix\nimportlib.reload(posix)\ngetattr(posix, "system", print)("touch ${mark}")`);
    await run(`import socket\ns = socket.socket()\ns.connect(("127.0.0.1", ${port}))\ns.send(b"x")`, '', { timeoutMs: 2000 });
    expect(existsSync(mark)).toBe(false);
    expect(connections).toBe(0);
    server.close();
  });
});

describe('limits', () => {
  test('an endless loop is stopped in time and the next program runs', async () => {
    const result = await run('while True: pass', '', { timeoutMs: 1000 });
    expect(result.outcome).toBe('timeout');
    expect(result.durationMs).toBeLessThan(3000);
    expect(await run('x = 1', 'assert x == 1')).toMatchObject({ outcome: 'passed' });
  });
  test.each([
    ['doubling list', 'x = [0] * 100\nwhile True: x = x + x'],
    ['one huge string', 'x = "a" * (1 << 30)'],
    ['big integer', 'x = 10 ** 9\nwhile True: x = x * x'],
  ])('a memory bomb meets the limit: %s', async (_, program) => {
    expect((await run(program, '', { memoryBytes: 64 * mebibyte, timeoutMs: 10_000 })).outcome).toMatch(/memory|timeout/);
  });
  test('endless output and endless recursion end', async () => {
    const chatty = await run('while True: print("x" * 1000)', '', { timeoutMs: 1000 });
    expect(chatty.outcome).toBe('timeout');
    expect((await run('def f(): return f()\nf()')).outcome).toBe('failed');
    expect((await run('import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()')).outcome).not.toBe('passed');
    const long = await run('print("x" * 100000)\n1/0');
    expect(long.detail.length).toBeLessThan(5000);
    expect(long.detail).toContain('ZeroDivisionError');
  });
  test('reading input finds the end of it', async () => {
    expect((await run('input()')).detail).toContain('EOFError');
  });
});

test('nothing of one program reaches the next: names, modules, built-ins, files, random state', async () => {
  const dirty = `
import sys, builtins, math, random, typing
leak = 1
sys.leak = 1
sys.path.append("/leak")
math.pi = 3
builtins.len = lambda x: 0
typing.List = None
random.seed(1)
sys.modules["leak"] = sys
sys.setrecursionlimit(77)
`;
  const random = 'import random\nprint(random.random())';
  const before = await run(random);
  await run(dirty);
  await run('1/0');
  const check = `
import sys, math, typing, builtins
assert "leak" not in globals() and not hasattr(sys, "leak") and "/leak" not in sys.path and "leak" not in sys.modules
assert math.pi > 3.1 and len("ab") == 2 and typing.List is not None and sys.getrecursionlimit() > 77
`;
  expect(await run(check)).toMatchObject({ outcome: 'passed' });
  expect((await run(random)).detail).toBe(before.detail);
});
