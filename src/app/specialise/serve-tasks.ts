// Opens the tasks of some recipes and serves them on a socket: loopback unless another address is named.
import { serve } from '@hono/node-server';
import { ToolError } from '../../core/errors.ts';
import { createAdmission } from './admission.ts';
import { type OpenedTask, openTask } from './open-task.ts';
import { createTaskServer } from './task-server.ts';

export interface ServeOptions {
  readonly recipes: readonly string[];
  readonly assignments?: readonly string[] | undefined;
  /** false: base models without adapters. */
  readonly adapter?: boolean | undefined;
  readonly offline?: boolean | undefined;
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** 0 takes a free port. @default 8765 */
  readonly port?: number | undefined;
  /** Requests at work. @default 4 */
  readonly concurrency?: number | undefined;
  /** Requests waiting. @default 64 */
  readonly queue?: number | undefined;
  /** Bearer token that callers must send; needed for any address but loopback. */
  readonly token?: string | undefined;
}

export interface TaskService {
  readonly url: string;
  readonly tasks: readonly OpenedTask[];
  readonly close: () => Promise<void>;
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

async function openAll(options: ServeOptions): Promise<OpenedTask[]> {
  const tasks: OpenedTask[] = [];
  try {
    for (const recipe of options.recipes) {
      const { assignments, adapter, offline } = options;
      const task = await openTask(recipe, { assignments, adapter, offline });
      tasks.push(task);
      if (tasks.filter((one) => one.name === task.name).length > 1)
        throw new ToolError('usage', `two recipes have a task named "${task.name}"`, { hint: 'set task.name in one of them' });
    }
    return tasks;
  } catch (thrown) {
    for (const task of tasks) await task.close();
    throw thrown;
  }
}

/** @throws ToolError `usage` for an open address without a token, `unavailable` where the port is taken */
export async function serveTasks(options: ServeOptions): Promise<TaskService> {
  const hostname = options.host ?? '127.0.0.1';
  const isLocal = loopback.has(hostname);
  if (!isLocal && options.token === undefined) {
    throw new ToolError('usage', `serving on ${hostname} lets others in`, { hint: 'name a token in SLMBENCH_TOKEN, or stay on 127.0.0.1' });
  }
  const tasks = await openAll(options);
  const admission = createAdmission({ active: options.concurrency ?? 4, queued: options.queue ?? 64 });
  const app = createTaskServer({ tasks, admission, token: options.token, hosts: isLocal ? [...loopback] : undefined });
  const server = serve({ fetch: app.fetch, hostname, port: options.port ?? 8765 });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
    });
  } catch (cause) {
    for (const task of tasks) await task.close();
    throw new ToolError('unavailable', `cannot listen on ${hostname}:${options.port ?? 8765}: ${(cause as Error).message}`, { cause });
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    tasks,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      for (const task of tasks) await task.close();
    },
  };
}
