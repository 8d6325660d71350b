// Starts the mock server in a child process and talks to it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../../core/errors.ts';
import type { MockShape } from './mock-server.ts';

export interface MockServer {
  readonly url: string;
  readonly processId: number;
  /** What answers look like from now on. */
  readonly shape: (shape: MockShape) => Promise<void>;
  /** What the first chunk of each answer really took since the last call, ms, in order of the requests' arrival. */
  readonly takeFirstDelays: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
}

type MockMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'first-delays'; readonly delaysMs: readonly number[] };

export async function startMockServer(): Promise<MockServer> {
  const source = import.meta.url.endsWith('.ts') ? './mock-server.ts' : './mock-server.js';
  const child = fork(fileURLToPath(new URL(source, import.meta.url)), [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const answer = (): Promise<MockMessage> =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new ToolError('internal', `the mock server ended (exit code ${code})`));
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        resolve(message as MockMessage);
      });
    });
  const listening = await answer();
  if (listening.kind !== 'listening') throw new ToolError('internal', 'the mock server did not start');
  return {
    url: `http://127.0.0.1:${listening.port}/v1`,
    processId: child.pid!,
    shape: async (shape) => {
      const ready = answer();
      child.send({ shape });
      await ready;
    },
    takeFirstDelays: async () => {
      const reply = answer();
      child.send('first-delays');
      const told = await reply;
      if (told.kind !== 'first-delays') throw new ToolError('internal', 'the mock server did not tell its delays');
      return told.delaysMs;
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}
