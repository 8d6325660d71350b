// Runs one benchmark of a toy project in a process of its own that the test kills. Arguments: recipe file, pause per training step in ms.
import { benchmark } from '../../src/app/specialise/benchmark.ts';
import { fakeTrainer } from './specialise-fixtures.ts';

const [recipeFile, pauseMs] = process.argv.slice(2);
await benchmark({
  recipeFile,
  offline: true,
  commandLine: 'test',
  openTrainer: async () => fakeTrainer({ trainings: 0, startedAtStep: [], pauseMs: Number(pauseMs) }),
  listener: (event) => {
    if (event.kind === 'note' || event.kind === 'training' || event.kind === 'sample-finished')
      process.stdout.write(`${JSON.stringify(event)}\n`);
  },
});
process.stdout.write('done\n');
