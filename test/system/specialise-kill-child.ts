// Runs one benchmark of a toy project, from the built package, in a process of its own that the test kills. Arguments: recipe file, pause per step in ms.
import { fakeTrainer } from './specialise-fixtures.ts';

const built = new URL('../../dist/app/specialise/benchmark.js', import.meta.url);
const { benchmark } = (await import(built.href)) as typeof import('../../src/app/specialise/benchmark.ts');
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
