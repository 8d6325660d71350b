// Entry file of the process that executes Python: a prepared interpreter whose memory is put back after each program.
import { randomInt, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import type { HostRun } from '../shared/host-messages.ts';
import { limitWasmMemory, type RunProgram, serveHost } from '../shared/host-side.ts';
import { closeFileSystem } from './close-file-system.ts';
import type { PyCallable, PyDict, PyodideParts, PyProxy } from './pyodide-parts.ts';
import { pythonPrelude } from './python-prelude.ts';

/** A heap that grew past this is cheaper to replace than to clear. */
const wornBytes = 512 * 1024 * 1024;
const outputLimit = 8192;

const memory = limitWasmMemory();

function captureOutput(pyodide: PyodideParts): { readonly take: () => string } {
  let text = '';
  const decoder = new TextDecoder();
  const write = (bytes: Uint8Array): number => {
    if (text.length < outputLimit) text += decoder.decode(bytes);
    return bytes.length;
  };
  pyodide.setStdout({ write });
  pyodide.setStderr({ write });
  pyodide.setStdin({ stdin: () => null });
  return {
    take: () => {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

/** Puts the interpreter back to where it was: all Python state lives in its linear memory, and files cannot be written. */
function keepState({ _module: module }: PyodideParts): () => boolean {
  const baseline = module.HEAPU8.slice();
  const stack = module.stackSave();
  const openStreams = module.FS.streams.length;
  return () => {
    const heap = module.HEAPU8;
    if (heap.length > wornBytes) return false;
    heap.set(baseline);
    heap.fill(0, baseline.length);
    module.stackRestore(stack);
    module.FS.streams.length = openStreams;
    return true;
  };
}

interface Tools {
  readonly compile: PyCallable<PyProxy>;
  readonly exec: PyCallable<void>;
  readonly dict: PyCallable<PyDict>;
  readonly restore: PyCallable<void>;
  readonly judgedNamespace: PyCallable<PyDict>;
}

/** C functions and closures taken before any program ran: rebinding names in Python does not change what these call. */
function takeTools(pyodide: PyodideParts): Tools {
  const builtin = (name: string) => pyodide.runPython(`import builtins; builtins.${name}`) as never;
  const tools = { compile: builtin('compile'), exec: builtin('exec'), dict: builtin('dict') };
  // A namespace of its own: what is left in __main__ could be imported and changed by a program.
  const scope = (tools.dict as PyCallable<PyDict>)();
  pyodide.runPython(pythonPrelude, { globals: scope });
  const own = (name: string) => scope.get(name) as never;
  return { ...tools, restore: own('restore'), judgedNamespace: own('judged_namespace') };
}

/** Runs program and tests; returns normally only if both ran to their end. */
function execute(tools: Tools, request: HostRun): void {
  const held: PyProxy[] = [];
  const hold = <Proxy extends PyProxy>(proxy: Proxy): Proxy => {
    held.push(proxy);
    return proxy;
  };
  try {
    const namespace = hold(tools.dict());
    namespace.set('__name__', '__main__');
    tools.exec(hold(tools.compile(request.program, '<program>', 'exec')), namespace);
    if (request.tests === null) return;
    tools.restore();
    const secret = randomInt(2 ** 40, 2 ** 47);
    const judged = hold(tools.judgedNamespace(namespace, request.entryPoint, randomUUID(), secret));
    tools.exec(hold(tools.compile(request.tests, '<tests>', 'exec')), judged);
  } finally {
    for (const proxy of held) proxy.destroy();
  }
}

type Ending = Awaited<ReturnType<RunProgram>>;

function endingOf(thrown: unknown, output: string): Ending {
  const { type, message } = thrown as { readonly type?: string; readonly message?: string };
  const detail = `${output}${message ?? String(thrown)}`;
  if (memory.wasRefused()) return { outcome: 'memory', detail, worn: type === undefined };
  // Pyodide's own error class names the Python exception; anything else means that the interpreter is broken.
  if (type === undefined) return { outcome: 'crashed', detail, worn: true };
  if (type === 'SystemExit') return { outcome: 'failed', detail: `the program ended itself before its tests\n${detail}`, worn: false };
  return { outcome: type === 'MemoryError' ? 'memory' : 'failed', detail, worn: false };
}

async function load(moduleUrl: string): Promise<RunProgram> {
  // Pyodide reads file flags through a binding that the permission model denies.
  Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }), configurable: true, writable: true });
  const { loadPyodide } = (await import(moduleUrl)) as { loadPyodide: (options: object) => Promise<unknown> };
  const pyodide = (await loadPyodide({
    jsglobals: Object.create(null),
    env: { HOME: '/', PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1' },
  })) as PyodideParts;
  const tools = takeTools(pyodide);
  const output = captureOutput(pyodide);
  closeFileSystem(pyodide._module);
  const putBack = keepState(pyodide);
  const baseBytes = pyodide._module.HEAPU8.length;
  return async (request) => {
    memory.setLimit(baseBytes + request.memoryBytes);
    let ending: Ending;
    try {
      execute(tools, request);
      ending = { outcome: 'passed', detail: output.take(), worn: false };
    } catch (thrown) {
      ending = endingOf(thrown, output.take());
    }
    memory.setLimit(Number.POSITIVE_INFINITY);
    return ending.worn || putBack() ? ending : { ...ending, worn: true };
  };
}

serveHost(load);
