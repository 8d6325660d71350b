// Every task of the catalogue runs from names to a record, with a scripted and with a real (toy) model, on its first two rows.
// A task whose data cannot be had on this machine must be refused with the reason, which is printed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { evaluate } from '../../src/index.ts';
import { listTasks } from '../../src/tasks/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'slmbench catalogue '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'model.json');
writeFileSync(script, JSON.stringify({ rules: [{ text: 'The answer is 7.', scores: 'hash' }] }));

/** What a machine without the hub, or without the key of gated data, may lack. */
const missing = new Set(['unavailable', 'access']);
const tasks = listTasks();
const names = (process.env['SLMBENCH_TEST_TASKS']?.split(',') ?? tasks.map((task) => task.name)).sort();

describe.each(['native', 'lm-eval'] as const)('%s', (protocol) => {
  const supported = names.filter(
    (name) => protocol === 'native' || tasks.find((task) => task.name === name)?.variants?.lmEval !== undefined,
  );
  test.for(supported)('%s', async (name) => {
    const task = tasks.find((one) => one.name === name);
    const isRolling = task?.kind === 'perplexity';
    let run: Awaited<ReturnType<typeof evaluate>>;
    try {
      run = await evaluate({
        // A script has no probabilities of running text.
        models: isRolling ? ['toy'] : [`scripted:${script}`, 'toy'],
        tasks: [name],
        settings: { limit: 2, shots: task?.fewShot?.locked === true ? undefined : 0, protocol, threads: 1, profile: false },
        generation: { maxTokens: 4 },
        runsFolder: join(folder, `${name}-${protocol}`),
      });
    } catch (thrown) {
      if (!ToolError.isInstance(thrown) || !missing.has(thrown.code)) throw thrown;
      // What a user without the hub meets: the refusal names the dataset and what each source said.
      expect(thrown.message.length).toBeGreaterThan(20);
      console.warn(`${name} (${protocol}): its data cannot be had here: ${thrown.message.slice(0, 160)}`);
      return;
    }
    const { record } = run;
    const rows = readFileSync(join(run.folder, 'predictions.jsonl'), 'utf8').trim().split('\n');
    for (const row of rows.map((line) => JSON.parse(line) as PredictionRow)) {
      // A prompt longer than the toy's context is the only error there may be.
      if (row.outcome.kind === 'error') expect(row.outcome).toMatchObject({ class: 'context-overflow' });
      else expect(row.instruction, row.id).not.toBe('');
      for (const grade of row.grades ?? []) expect(grade.score, `${grade.grader}: ${grade.detail}`).not.toBeNull();
    }
    const first = record.results[0]!;
    expect(first.metrics.values.length).toBeGreaterThan(0);
    expect(first.metrics.values.every((value) => value.n > 0 || value.value === null)).toBe(true);
    if (!isRolling) expect(first.counts, 'the scripted model has no context limit').toMatchObject({ error: 0 });
  });
});
