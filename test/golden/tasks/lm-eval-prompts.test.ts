// Parity proof: prompts and continuations equal those of real lm-eval byte for byte (scripts/golden/lm-eval-prompts.py).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/core/dataset.ts';
import { digestOf } from '../../../src/core/digest.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Message, Prompt } from '../../../src/core/prompt.ts';
import type { ModelRequest, PromptContext } from '../../../src/core/task.ts';
import { type BoundTask, bindTask } from '../../../src/tasks/bind-task.ts';
import { findTask } from '../../../src/tasks/registry.ts';

type Context = string | readonly Message[];

interface Fixture {
  readonly source: string;
  readonly system: string;
  readonly cases: readonly {
    readonly task: string;
    readonly lmEvalTask: string;
    readonly splits: Readonly<Record<string, readonly JsonObject[]>>;
    readonly until?: readonly string[];
    readonly forms: readonly { readonly shots: number; readonly form: string; readonly requests: readonly (readonly (readonly [Context, string?])[])[] }[];
  }[];
}

const fixture = JSON.parse(readFileSync(new URL('./lm-eval-prompts.json', import.meta.url), 'utf8')) as Fixture;

// Equal content has an equal id, which the n + 1 rule relies on.
const rowsOf = (all: readonly JsonObject[] | undefined): Row[] => (all ?? []).map((fields) => ({ id: digestOf(fields).slice(0, 16), fields }));
const contextOf = (prompt: Prompt): Context => (prompt.kind === 'text' ? prompt.text : prompt.messages);

function requestsOf(request: ModelRequest): readonly (readonly [Context, string?])[] {
  if (request.kind === 'rolling') return [[request.request.text]];
  if (request.kind === 'generate') return [[contextOf(request.request.prompt)]];
  return request.request.choices.map((choice) => [contextOf(choice.prompt ?? request.request.prompt), choice.continuation]);
}

function bind(entry: Fixture['cases'][number], shots: number, flatShots: boolean): BoundTask {
  const { definition, category } = findTask(entry.task);
  const { split, fewShotSplit } = definition.dataset;
  const pool = entry.splits[fewShotSplit ?? split];
  return bindTask(definition, { rows: rowsOf(entry.splits[split]), fewShotRows: rowsOf(pool), protocol: 'lm-eval', shots, seed: 42, category, flatShots });
}

describe.each(fixture.cases)('$task as $lmEvalTask', (entry) => {
  test.each(entry.forms)('$shots shots, $form', ({ shots, form, requests }) => {
    const task = bind(entry, shots, form === 'flat');
    const context: PromptContext = {
      protocol: 'lm-eval',
      chat: form.startsWith('chat') || form === 'flat',
      generation: {},
      ...(form.endsWith('system') ? { system: fixture.system } : {}),
    };
    const made = task.rows.map((row) => requestsOf(task.prepare(row, context).request));
    expect(made).toEqual(requests);
  });

  if (entry.until === undefined) return;
  test('stop strings', () => {
    const task = bind(entry, entry.forms[0]!.shots, false);
    const stops = new Set(task.defaultGeneration.stop ?? []);
    // A multilingual task stops at the question words of all its languages.
    expect(entry.until!.filter((stop) => !stops.has(stop))).toEqual([]);
    if (!entry.task.startsWith('mgsm')) expect(stops.size).toBe(entry.until!.length);
  });
});
