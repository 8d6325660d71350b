import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineTask } from '../../tasks/define-task.ts';
import { createAdmission } from './admission.ts';
import { bindInput, fieldsOf, withoutGold } from './application-task.ts';
import { hideReasoning } from './hide-reasoning.ts';
import type { OpenedTask, TaskAnswer } from './open-task.ts';
import { createTaskServer } from './task-server.ts';
import { inputColumns, toolSchema } from './tool-schema.ts';

const definition = defineTask({
  name: 'mood',
  title: 'Mood',
  description: 'Mood of a text.',
  type: 'classification',
  dataset: { name: 'x', split: 'test' },
  kind: 'generate',
  prompt: '{% if hint %}{{ hint | upper }} {% endif %}{% for word in words %}{{ word.text }}{% endfor %}{{ row.body }} {{ "quoted name" }}',
  labels: ['good', 'bad'],
  gold: { column: 'label' },
  metrics: ['accuracy'],
  primaryMetric: 'accuracy',
});

test('inputs are the columns that templates read, not words of the template language', () => {
  expect(inputColumns(definition)).toEqual(['hint', 'words', 'body']);
  expect(toolSchema(definition).output).toEqual({ type: 'string', enum: ['good', 'bad'] });
  expect(toolSchema(definition).function.parameters).toMatchObject({ required: ['hint', 'words', 'body'], additionalProperties: false });
});

test('an application needs no gold answer', () => {
  const own = withoutGold(defineTask({ ...definition, prompt: '{{ body }}' }));
  const { task, row } = bindInput(own, 'hello', 1);
  const { request } = task.prepare(row, { protocol: 'native', chat: false, generation: {} });
  expect(request.kind === 'generate' && request.request.prompt).toEqual({ kind: 'text', text: 'hello' });
  expect(() => fieldsOf(own, { bdy: 'x' })).toThrow(/"body" is missing/);
  expect(() => fieldsOf(definition, 'x')).toThrow(/reads 3 inputs/);
});

test('reasoning is hidden wherever the chunks are cut', () => {
  const shapes = fc.array(fc.oneof(fc.constant('<think>a <b </think>\n\n'), fc.constantFrom('yes', ' no', '<th', 'x < y', '</thi')), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(shapes, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (pieces, sizes) => {
      const text = pieces.join('');
      const run = (chunks: readonly string[]) => {
        const filter = hideReasoning();
        return chunks.map((chunk) => filter.push(chunk)).join('') + filter.end();
      };
      const chunks: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = sizes.next().value!;
        chunks.push(text.slice(at, at + size));
        at += size;
      }
      expect(run(chunks)).toBe(run([text]));
      expect(run([text])).not.toContain('a <b ');
    }),
  );
});

test('a block that never ends shows nothing of itself', () => {
  const filter = hideReasoning();
  expect(filter.push('<think>secret') + filter.push(' more') + filter.end()).toBe('');
});

test('requests wait, then are refused, and the next one takes the free place', async () => {
  const admission = createAdmission({ active: 1, queued: 1 });
  const gates: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => gates.push(resolve));
  const first = admission.run(work);
  const second = admission.run(work);
  await expect(admission.run(work)).rejects.toMatchObject({ code: 'unavailable', isRetryable: true });
  expect(admission.state()).toMatchObject({ active: 1, queued: 1, refused: 1 });
  gates[0]!();
  await first;
  await Promise.resolve();
  expect(admission.state()).toMatchObject({ active: 1, queued: 0 });
  const leaving = new AbortController();
  const third = admission.run(work, leaving.signal);
  leaving.abort();
  await expect(third).rejects.toMatchObject({ code: 'interrupted' });
  gates[1]!();
  await second;
  expect(admission.state()).toMatchObject({ active: 0, queued: 0, served: 2 });
});

const answer: TaskAnswer = {
  value: 'good',
  outcome: { kind: 'scored' },
  output: 'good',
  reasoning: null,
  finishReason: 'stop',
  usage: { promptTokens: 3, cachedTokens: 0, completionTokens: 1, reasoningTokens: null, source: 'engine' },
  timing: { queuedMs: 0, ttftMs: 1, ttfaMs: 1, totalMs: 2, tpotMs: null },
  warnings: [],
};

function openedTask(more: Partial<OpenedTask> = {}): OpenedTask {
  return {
    name: 'mood',
    title: 'Mood',
    inputs: ['body'],
    labels: ['good', 'bad'],
    model: 'toy+mood',
    tool: toolSchema(definition),
    run: async (input) => ({ ...answer, output: JSON.stringify(input) }),
    stream: async function* () {
      yield { kind: 'text', text: 'go' } as const;
      yield { kind: 'text', text: 'od' } as const;
      yield { kind: 'answer', answer } as const;
    },
    close: async () => {},
    ...more,
  };
}

const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', host: '127.0.0.1:8765', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

function server(task = openedTask(), more: { token?: string; hosts?: string[] } = {}) {
  return createTaskServer({ tasks: [task], admission: createAdmission({ active: 2, queued: 0 }), ...more });
}

test('a task has an endpoint; mistakes are answered with what is wrong', async () => {
  const app = server();
  const good = await app.request('/tasks/mood', post({ body: 'hi' }));
  expect([good.status, ((await good.json()) as TaskAnswer).value]).toEqual([200, 'good']);
  const unknown = await app.request('/tasks/moood', post({ body: 'hi' }));
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('did you mean')]);
  expect((await app.request('/tasks/mood', post('{'))).status).toBe(400);
  expect((await app.request('/tasks/mood', post('7'))).status).toBe(400);
  expect((await app.request('/nowhere')).status).toBe(404);
  expect(await (await app.request('/health')).json()).toMatchObject({ status: 'ok', tasks: ['mood'] });
  expect(await (await app.request('/metrics')).text()).toContain('slmbench_requests_served 1');
});

test('the chat route answers and streams as OpenAI clients expect', async () => {
  const app = server();
  const request = {
    model: 'mood',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ],
  };
  const whole = (await (await app.request('/v1/chat/completions', post(request))).json()) as never;
  expect(whole).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { content: 'good' }, finish_reason: 'stop' }],
    usage: { total_tokens: 4 },
  });
  const text = await (await app.request('/v1/chat/completions', post({ ...request, stream: true }))).text();
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6));
  expect(events.at(-1)).toBe('[DONE]');
  expect(
    events
      .slice(0, -1)
      .map((event) => JSON.parse(event).choices[0].delta.content ?? '')
      .join(''),
  ).toBe('good');
  expect((await app.request('/v1/chat/completions', post({ model: 'mood', messages: [] }))).status).toBe(400);
  expect(await (await app.request('/v1/models')).json()).toMatchObject({ data: [{ id: 'mood' }] });
});

test('a full house is 503 with Retry-After, for streams too', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = server(openedTask({ run: () => held.then(() => answer) }));
  const first = app.request('/tasks/mood', post({ body: 'a' }));
  const second = app.request('/tasks/mood', post({ body: 'b' }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const third = await app.request('/tasks/mood', post({ body: 'c' }));
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
  const streamed = await app.request(
    '/v1/chat/completions',
    post({ model: 'mood', stream: true, messages: [{ role: 'user', content: 'x' }] }),
  );
  expect(streamed.status).toBe(503);
  release();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

test('other host names, missing tokens and large bodies are refused', async () => {
  const app = server(openedTask(), { token: 'secret', hosts: ['127.0.0.1', 'localhost'] });
  expect((await app.request('/health', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await app.request('/tasks/mood', post({ body: 'x' }))).status).toBe(401);
  const authorization = 'Bearer secret';
  expect((await app.request('/tasks/mood', post({ body: 'x' }, { authorization }))).status).toBe(200);
  expect(
    (await app.request('/tasks/mood', post({ body: 'x'.repeat(2 ** 21) }, { authorization, 'content-length': String(2 ** 21 + 11) })))
      .status,
  ).toBe(413);
});
