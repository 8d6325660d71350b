// The inside of the process that executes generated code: gives up what it could misuse, then answers requests one by one.
import type { HostReply, HostRequest, HostRun } from './host-messages.ts';

export type RunProgram = (request: HostRun) => Promise<Omit<Extract<HostReply, { kind: 'verdict' }>, 'kind' | 'id'>>;

/**
 * Takes network, native code, process control and the message channel away from everything that runs later.
 * The interpreters expose none of it; this is the second wall, behind Node's permission model and the empty environment.
 */
function dropAuthority(): void {
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Worker', 'BroadcastChannel', 'navigator', 'localStorage']) {
    Reflect.deleteProperty(globals, name);
  }
  const own = process as unknown as Record<string, unknown>;
  for (const name of [
    'binding',
    'dlopen',
    'getBuiltinModule',
    'kill',
    'send',
    'disconnect',
    'mainModule',
    '_linkedBinding',
    'chdir',
    'abort',
  ]) {
    try {
      Object.defineProperty(own, name, { value: undefined, configurable: false, writable: false });
    } catch {
      own[name] = undefined;
    }
  }
}

/**
 * Starts the host: loads the interpreter on the `start` message, drops what it needs no more, and serves `run` messages in order.
 * @param load gets the interpreter's module URL and returns the function that runs programs
 */
export function serveHost(load: (moduleUrl: string) => Promise<RunProgram>): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('the code host is started by a code runner, not by hand');
  const reply = (message: HostReply): void => void send(message);
  process.once('disconnect', () => process.exit(0));
  let run: RunProgram | undefined;
  process.on('message', async (message: HostRequest) => {
    if (message.kind === 'start') {
      run = await load(message.moduleUrl);
      dropAuthority();
      reply({ kind: 'ready' });
    } else if (run !== undefined) reply({ kind: 'verdict', id: message.id, ...(await run(message)) });
  });
}

let memoryLimitPages = Number.POSITIVE_INFINITY;
let refusedGrowth = false;
const bytesPerPage = 65_536;

/**
 * Makes WebAssembly memory refuse to grow past a limit that can be set per run; the interpreter then sees a failed allocation.
 * Node's own heap limits do not cover WebAssembly memory.
 */
export function limitWasmMemory(): { readonly setLimit: (bytes: number) => void; readonly wasRefused: () => boolean } {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength / bytesPerPage + pages > memoryLimitPages) {
      refusedGrowth = true;
      throw new RangeError('memory limit');
    }
    return grow.call(this, pages);
  };
  return {
    setLimit: (bytes) => {
      memoryLimitPages = Math.floor(bytes / bytesPerPage);
      refusedGrowth = false;
    },
    wasRefused: () => refusedGrowth,
  };
}
