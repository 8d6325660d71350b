// A specialised task in an application: typed answers, a stream, a tool schema. Run: node examples/use-a-specialist.ts [model]
// With a model of your own training leave out `model` and `adapter: false`: slmbench train -c intents-smollm2-135m
import { openTask } from 'slmbench';

const model = process.argv[2];
const task = await openTask('intents-smollm2-135m', {
  ...(model === undefined ? {} : { assignments: [`model.base=${model}`] }),
  adapter: false,
});
try {
  console.log(`${task.name} takes ${task.inputs.join(', ')} and answers ${task.labels?.join(' | ')} (${task.model})`);
  for (const text of ['wake me at seven', 'play some jazz']) {
    const { value, outcome, timing } = await task.run({ text });
    // A model that was not trained for it may answer anything: then the value is null and the outcome says why.
    console.log(
      `${text}: ${value ?? `no answer (${outcome.kind === 'invalid' ? outcome.reason : outcome.kind})`}, ${timing.totalMs?.toFixed(0)} ms`,
    );
  }
  for await (const part of task.stream('will it rain tomorrow?')) {
    if (part.kind === 'text') process.stdout.write(part.text);
    else console.log(`\nstreamed: ${part.answer.value}`);
  }
  console.log(`tool for agents: ${JSON.stringify(task.tool.function)}`);
} finally {
  await task.close();
}
