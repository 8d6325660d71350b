// HTTP for opened tasks: one endpoint a task, an OpenAI-compatible chat route, health and figures. Pure web API: no socket here.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { suggestName } from '../../core/names.ts';
import type { Admission } from './admission.ts';
import type { TaskInput } from './application-task.ts';
import type { OpenedTask, TaskAnswer } from './open-task.ts';

export interface TaskServerOptions {
  readonly tasks: readonly OpenedTask[];
  readonly admission: Admission;
  /** Callers must send it as a bearer token. */
  readonly token?: string | undefined;
  /** Names under which the server may be called; others are refused (DNS rebinding). undefined: any. */
  readonly hosts?: readonly string[] | undefined;
}

const largestBodyBytes = 1024 * 1024;

const statuses: Partial<Record<string, 400 | 401 | 404 | 413 | 429 | 499 | 503>> = {
  usage: 400,
  data: 400,
  template: 400,
  'context-overflow': 413,
  access: 401,
  'not-found': 404,
  unavailable: 503,
};

function failure(thrown: unknown): { readonly status: number; readonly body: JsonObject } {
  const error = ToolError.isInstance(thrown) ? thrown : new ToolError('internal', messageOf(thrown));
  return {
    status: statuses[error.code] ?? 500,
    body: { error: { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) } },
  };
}

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
});
const chatSchema = z.looseObject({ model: z.string(), messages: z.array(messageSchema).min(1), stream: z.boolean().optional() });

function textOf(content: z.infer<typeof messageSchema>['content']): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

/** The last user turn is the input: its text, or a JSON object of inputs where the task reads several. */
function inputOfChat(task: OpenedTask, messages: z.infer<typeof chatSchema>['messages']): TaskInput {
  const last = messages.findLast((message) => message.role === 'user');
  if (last === undefined) throw new ToolError('usage', 'there is no user message');
  const text = textOf(last.content);
  if (task.inputs.length === 1) return text;
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text)) as JsonObject;
  } catch {
    throw new ToolError('usage', `task "${task.name}" reads ${task.inputs.join(', ')}`, {
      hint: 'send them as one JSON object in the user message',
    });
  }
}

function chatText(answer: TaskAnswer): string {
  if (answer.value === null) return answer.output ?? '';
  return typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value);
}

function usageOf({ usage }: TaskAnswer): JsonObject {
  const prompt = usage.promptTokens ?? 0;
  const completion = usage.completionTokens ?? 0;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

const finish = (answer: TaskAnswer) => (answer.finishReason === 'length' ? 'length' : 'stop');

/** Whether the Host header names one of the allowed hosts. */
function hostOf(header: string | undefined): string {
  return (header ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
}

async function jsonBody(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new ToolError('usage', 'the body is not JSON');
  }
}

/** Figures in the text format of Prometheus. */
function figures({ admission }: TaskServerOptions): string {
  return Object.entries(admission.state())
    .map(
      ([name, value]) =>
        `# TYPE slmbench_requests_${name} ${name === 'served' || name === 'refused' ? 'counter' : 'gauge'}\nslmbench_requests_${name} ${value}\n`,
    )
    .join('');
}

function guard(app: Hono, { token, hosts }: TaskServerOptions): void {
  app.use('*', async (context, next) => {
    if (hosts !== undefined && !hosts.includes(hostOf(context.req.header('host')))) {
      return context.json({ error: { code: 'access', message: 'this host name is not served' } }, 403);
    }
    if (token !== undefined && context.req.path !== '/health' && context.req.header('authorization') !== `Bearer ${token}`) {
      return context.json({ error: { code: 'access', message: 'a bearer token is needed' } }, 401);
    }
    return next();
  });
  app.use(
    '*',
    bodyLimit({
      maxSize: largestBodyBytes,
      onError: (context) => context.json({ error: { code: 'usage', message: 'the body is larger than 1 MiB' } }, 413),
    }),
  );
}

export function createTaskServer(options: TaskServerOptions): Hono {
  const app = new Hono();
  const byName = new Map(options.tasks.map((task) => [task.name, task]));
  const find = (name: string): OpenedTask => {
    const task = byName.get(name);
    if (task === undefined) throw new ToolError('not-found', `no task "${name}"`, { hint: suggestName(name, byName.keys()) });
    return task;
  };
  guard(app, options);
  app.onError((error, context) => {
    const { status, body } = failure(error);
    if (status === 503) context.header('retry-after', '1');
    return context.json(body, status as 400);
  });
  app.notFound((context) =>
    context.json({ error: { code: 'not-found', message: `no route ${context.req.method} ${context.req.path}` } }, 404),
  );
  app.get('/health', (context) => context.json({ status: 'ok', tasks: [...byName.keys()], ...options.admission.state() }));
  app.get('/metrics', (context) => context.text(figures(options)));
  app.get('/tasks', (context) =>
    context.json({
      tasks: options.tasks.map(({ name, title, inputs, labels, model, tool }) => ({
        name,
        title,
        inputs,
        labels: labels ?? null,
        model,
        tool,
      })),
    }),
  );
  app.post('/tasks/:name', async (context) => {
    const task = find(context.req.param('name'));
    const body = await jsonBody(context.req.raw);
    const parsed = z.union([z.string(), z.record(z.string(), z.json())]).safeParse(body);
    if (!parsed.success) throw new ToolError('usage', `expected an object with ${task.inputs.join(', ')}`);
    const { signal } = context.req.raw;
    return context.json(await options.admission.run(() => task.run(parsed.data as TaskInput, { signal }), signal));
  });
  app.get('/v1/models', (context) =>
    context.json({ object: 'list', data: options.tasks.map((task) => ({ id: task.name, object: 'model', owned_by: 'slmbench' })) }),
  );
  app.post('/v1/chat/completions', async (context) => {
    const parsed = chatSchema.safeParse(await jsonBody(context.req.raw));
    if (!parsed.success)
      throw new ToolError('usage', `not a chat request: ${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`);
    const task = find(parsed.data.model);
    const input = inputOfChat(task, parsed.data.messages);
    const { signal } = context.req.raw;
    const facts = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model: task.name };
    if (parsed.data.stream !== true) {
      const answer = await options.admission.run(() => task.run(input, { signal }), signal);
      const message = { role: 'assistant', content: chatText(answer) };
      return context.json({
        ...facts,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish(answer) }],
        usage: usageOf(answer),
      });
    }
    return streamChat(task, input, facts, options.admission, context);
  });
  return app;
}

type ServerContext = Parameters<Parameters<typeof streamSSE>[1]>[0] extends never ? never : Parameters<typeof streamSSE>[0];

/** A full queue must be a status, not a broken stream: the place is taken before the first byte. */
async function streamChat(
  task: OpenedTask,
  input: TaskInput,
  facts: JsonObject,
  admission: Admission,
  context: ServerContext,
): Promise<Response> {
  const { signal } = context.req.raw;
  return await new Promise<Response>((resolve, reject) => {
    admission
      .run(
        () =>
          new Promise<void>((done) => {
            const response = streamSSE(context, async (stream) => {
              const abort = new AbortController();
              stream.onAbort(() => abort.abort());
              const send = (delta: JsonObject, reason: string | null) =>
                stream.writeSSE({
                  data: JSON.stringify({
                    ...facts,
                    object: 'chat.completion.chunk',
                    choices: [{ index: 0, delta, finish_reason: reason }],
                  }),
                });
              try {
                await send({ role: 'assistant', content: '' }, null);
                for await (const part of task.stream(input, { signal: abort.signal })) {
                  if (part.kind === 'text') await send({ content: part.text }, null);
                  else await send({}, finish(part.answer));
                }
                await stream.writeSSE({ data: '[DONE]' });
              } catch (thrown) {
                await stream.writeSSE({ data: JSON.stringify(failure(thrown).body) });
              } finally {
                done();
              }
            });
            resolve(response as Response);
          }),
        signal,
      )
      .catch(reject);
  });
}
