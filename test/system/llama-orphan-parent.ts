// A process that opens a model, prints the engine's process id, and waits to be killed (see llama-faults.test.ts).
import { openModel } from './llama-fixtures.ts';

const backend = await openModel(process.argv[2]!);
process.stdout.write(`${backend.processIds()[0]}\n`);
setInterval(() => {}, 1000);
