// Generated answers from task names to metrics, with scripted models: programs (HumanEval, MBPP, JavaScript), GSM8K and IFEval.
// Named data sets are fetched once; where no source answers, the suite says so and skips.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/run-recipe.ts';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { loadDataset } from '../../src/datasets/registry.ts';
import { evaluate } from '../../src/index.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { findTask } from '../../src/tasks/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'slmbench open answers '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function rowsOf(name: string, split = 'test'): Promise<readonly Record<string, unknown>[] | null> {
  try {
    const dataset = await loadDataset(name, { offline: false, cacheDirectory: cacheRoot() });
    return (await dataset.split(split)).rows.map((row) => row.fields);
  } catch (thrown) {
    console.warn(`skipped: ${name} cannot be fetched (${String(thrown).slice(0, 120)})`);
    return null;
  }
}

const [humaneval, mbpp, gsm8k, javascript] = [
  await rowsOf('humaneval'),
  await rowsOf('mbpp'),
  await rowsOf('gsm8k'),
  await rowsOf('javascript-mini'),
];

let runs = 0;
async function run(task: string, rules: readonly object[], settings: Partial<RunSettings>) {
  const script = join(folder, `model-${runs}.json`);
  writeFileSync(script, JSON.stringify({ rules }));
  const result = await evaluate({
    models: [`scripted:${script}`],
    tasks: [task],
    settings: { profile: false, concurrency: 1, ...settings },
    runsFolder: join(folder, `runs-${runs++}`),
  });
  const lines = readFileSync(join(result.folder, 'predictions.jsonl'), 'utf8').trim().split('\n');
  const { values } = result.record.results[0]!.metrics;
  return {
    rows: lines.map((line) => JSON.parse(line) as PredictionRow),
    value: (name: string, average: string | null = null) => values.find((one) => one.name === name && one.average === average)?.value,
    values,
  };
}

/** A rule a row: the right program for the prompts that contain `key`; the third row gets a broken one. */
function programs(
  rows: readonly Record<string, unknown>[],
  key: string,
  solution: (row: Record<string, unknown>) => string,
  broken: string,
) {
  return rows.map((row, index) => ({ contains: String(row[key]).trim(), text: index === 2 ? broken : solution(row) }));
}

const limit = 6;

describe('programs', () => {
  test.skipIf(humaneval === null)('HumanEval: canonical bodies and fenced whole functions pass, a broken one fails', async () => {
    const rows = humaneval!.slice(0, limit);
    const bare = await run(
      'humaneval',
      programs(rows, 'prompt', (row) => String(row['canonical_solution']), '    return None  # nothing\n'),
      { limit },
    );
    expect(bare.rows.map((row) => row.grades![0]!.score)).toEqual([1, 1, 0, 1, 1, 1]);
    expect(bare.value('pass@k', 'k=1')).toBeCloseTo(5 / 6, 12);
    const whole = (row: Record<string, unknown>) => `Sure!\n\`\`\`python\n${row['prompt']}${row['canonical_solution']}\n\`\`\`\nDone.`;
    const fenced = await run('humaneval', programs(rows, 'prompt', whole, 'I cannot write this.'), { limit });
    expect(fenced.rows.map((row) => row.grades?.[0]?.score ?? row.outcome.kind)).toEqual([1, 1, 'invalid', 1, 1, 1]);
    expect(fenced.value('pass@k', 'k=1')).toBeCloseTo(5 / 6, 12);
  });

  test.skipIf(mbpp === null)('MBPP: reference programs pass, a broken one fails', async () => {
    const rows = mbpp!.slice(0, limit);
    const result = await run(
      'mbpp',
      programs(rows, 'text', (row) => String(row['code']), 'def f():\n    return 1\n'),
      { limit, shots: 0 },
    );
    expect(result.rows.map((row) => row.grades?.[0]?.score ?? 0)).toEqual([1, 1, 0, 1, 1, 1]);
    expect(result.value('pass@k', 'k=1')).toBeCloseTo(5 / 6, 12);
  });

  test('JavaScript: every solution passes its tests, and an empty function fails them', async () => {
    const all = javascript!;
    const solved = await run(
      'javascript-mini',
      all.map((row) => ({ contains: String(row['prompt']).trim(), text: String(row['canonical_solution']) })),
      {},
    );
    expect(solved.rows.filter((row) => row.grades![0]!.score !== 1).map((row) => row.instruction)).toEqual([]);
    const empty = await run('javascript-mini', [{ text: '  return undefined;\n}\n' }], {});
    expect(empty.value('pass@k', 'k=1')).toBe(0);
    const fence = (row: Record<string, unknown>) => `\`\`\`js\n${row['prompt']}${row['canonical_solution']}\`\`\``;
    const fenced = await run(
      'javascript-mini',
      all.map((row) => ({ contains: String(row['prompt']).trim(), text: fence(row) })),
      { limit: 5 },
    );
    expect(fenced.value('pass@k', 'k=1')).toBe(1);
  });

  test('pass@k over repeats is the unbiased estimate of what the attempts did', async () => {
    const solution = String(javascript![0]!['canonical_solution']);
    const { rows, value } = await run(
      'javascript-mini',
      [{ call: 3, text: '  return 0;\n}\n' }, { call: 4, text: '  return 0;\n}\n' }, { text: solution }],
      { limit: 1, repeats: 5 },
    );
    const passes = rows.filter((row) => row.grades![0]!.score === 1).length;
    expect(rows).toHaveLength(5);
    expect(passes).toBeGreaterThan(0);
    expect(passes).toBeLessThan(5);
    expect(value('pass@k', 'k=1')).toBeCloseTo(passes / 5, 12);
  });
});

describe.skipIf(gsm8k === null)('GSM8K', () => {
  test('strict and flexible reading differ as in lm-eval; native reads both', async () => {
    const rows = gsm8k!.slice(0, 3);
    const gold = rows.map((row) => String(row['answer']).split('####')[1]!.trim());
    const rules = [
      { contains: String(rows[0]!['question']).slice(0, 60), text: `We compute.\n#### ${gold[0]}` },
      { contains: String(rows[1]!['question']).slice(0, 60), text: `So the answer is ${gold[1]}` },
      { contains: String(rows[2]!['question']).slice(0, 60), text: '#### 123456789' },
    ];
    const settings = { limit: 3, shots: 0 } as const;
    const strict = await run('gsm8k-strict', rules, { ...settings, protocol: 'lm-eval' });
    const flexible = await run('gsm8k', rules, { ...settings, protocol: 'lm-eval' });
    const native = await run('gsm8k', rules, settings);
    expect(strict.value('exact_match')).toBeCloseTo(1 / 3, 12);
    expect(flexible.value('exact_match')).toBeCloseTo(2 / 3, 12);
    expect(native.value('numeric')).toBeCloseTo(2 / 3, 12);
  });
});

describe('IFEval', () => {
  test('answers are checked by their instructions: prompt and instruction level, strict and loose', async () => {
    const rows = [
      { key: 1, prompt: 'Say hello without commas.', instruction_id_list: ['punctuation:no_comma'], kwargs: [{}] },
      {
        key: 2,
        prompt: 'Two words, one title, no commas.',
        instruction_id_list: ['detectable_format:title', 'punctuation:no_comma'],
        kwargs: [{}, {}],
      },
      { key: 3, prompt: 'End with a bang: END.', instruction_id_list: ['startend:end_checker'], kwargs: [{ end_phrase: 'END.' }] },
    ];
    const script = join(folder, 'ifeval.json');
    const answers = [
      { contains: 'hello', text: 'Hello there' },
      { contains: 'Two words', text: '<<Title>> yes, no' },
      // Strict fails for the last line; loose may drop it.
      { text: 'All done. END.\nHope this helps' },
    ];
    writeFileSync(script, JSON.stringify({ rules: answers }));
    const result = await evaluate({
      models: [`scripted:${script}`],
      tasks: [{ definition: findTask('ifeval').definition, rows }],
      settings: { profile: false },
      runsFolder: join(folder, 'runs-ifeval'),
    });
    const { values } = result.record.results[0]!.metrics;
    const shown = Object.fromEntries(values.map((one) => [`${one.name}${one.average === null ? '' : `:${one.average}`}`, one.value]));
    expect(
      Object.values(shown)
        .map((value) => Number(value!.toFixed(4)))
        .sort(),
    ).toEqual([0.3333, 0.5, 0.6667, 0.75]);
  });
});
