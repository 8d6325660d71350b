import { expect, test } from 'vitest';
import { fixtureRun } from '../../../test/fixtures/report-runs.ts';
import { invalid } from '../../core/outcome.ts';
import { gatherCandidates } from './gather-candidates.ts';
import { defaultWeights, recommend } from './recommend.ts';
import { renderRecommendation } from './render-recommendation.ts';

const plain = (text: string) => text;
const style = { width: 200, bold: plain, dim: plain };

test('a model whose answers are all invalid was measured: it is rejected with that, not called unmeasured', async () => {
  const { record } = await fixtureRun({
    models: 2,
    samplesPerTask: 20,
    tasks: 1,
    mapRow: (row) => (row.model === 'bad' ? { ...row, prediction: null, outcome: invalid('unparseable') } : row),
    mapModel: (() => {
      let count = 0;
      return (model) => (count++ % 2 === 0 ? { ...model, key: 'bad' } : model);
    })(),
  });
  const gathered = gatherCandidates([record], []);
  expect(gathered.incomplete).toEqual([]);
  const found = recommend({ gathered, constraints: {}, weights: defaultWeights, compare: () => null });
  expect(found.chosen?.candidate.model).not.toBe('bad');
  expect(found.rejected).toEqual([{ model: 'bad', reasons: [expect.stringMatching(/0\.0.*all 20 answers invalid \(100\.0 %\)/)] }]);
  expect(renderRecommendation(found, [], style)).not.toContain('Never measured: bad');
});

test('asked models are compared on the tasks they share; what only some have, or only others, keeps nobody out', async () => {
  const options = { samplesPerTask: 20 };
  const both = (await fixtureRun({ ...options, models: 2, tasks: 2 })).record;
  const [x, y] = both.models.map((model) => model.key) as [string, string];
  const alone = (await fixtureRun({ ...options, models: 1, tasks: 3, id: '20261130-190000-0f1e2d3c-0002' })).record;
  const stray = {
    ...alone,
    models: alone.models.map((model) => ({ ...model, key: 'stray' })),
    tasks: alone.tasks.map((task) => ({ ...task, key: `${task.key}-file` })),
    results: alone.results.map((result) => ({ ...result, model: 'stray', task: `${result.task}-file` })),
  };
  const kinds = [...new Set(stray.tasks.map((task) => task.type))];
  const gathered = gatherCandidates([both, alone, stray], kinds, [x, y]);
  expect(gathered.tasks).toEqual(both.tasks.map((task) => task.key));
  expect(gathered.incomplete).toEqual([]);
  expect(gathered.leftOut).toEqual([{ task: alone.tasks[2]!.key, models: [x] }]);
  const found = recommend({ gathered, constraints: {}, weights: defaultWeights, compare: () => null });
  expect(found.ranked).toHaveLength(2);
  expect(renderRecommendation(found, [], style)).toContain(`Left out: ${alone.tasks[2]!.key}, which only ${x} was run on.`);
  expect(gatherCandidates([both, alone, stray], kinds, [x, 'unseen']).incomplete.map(({ model }) => model)).toEqual(['unseen']);
});
