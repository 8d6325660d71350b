// The process that the kill tests start and kill: runs a fixed plan on a slow fake backend into a folder.
// Arguments: run folder, file that gets one byte per model call, delay per answer in ms.
import { appendFileSync } from 'node:fs';
import { messageOf, ToolError } from '../../src/core/errors.ts';
import { executeRun } from '../../src/runner/execute-run.ts';
import { finishRun } from '../../src/runner/finish-run.ts';
import { openFileRunStore } from '../../src/store/files/file-run-store.ts';
import {
  chooseTask,
  createScorer,
  fakeBackend,
  generateTask,
  modelToPlan,
  origin,
  planOf,
  promptContext,
  rightAnswer,
} from '../contract/run-store-fakes.ts';

const [folder, callsFile, delayMs] = process.argv.slice(2);
const tasks = [generateTask(80, { groups: ['all'] }), generateTask(60, { key: 'more', groups: ['all'] }), chooseTask(20)];
const plan = planOf(tasks, { models: [modelToPlan('a'), modelToPlan('b')], set: { concurrency: 4 } });

async function answer(prompt: string): Promise<string> {
  appendFileSync(callsFile!, '.');
  await new Promise((resolve) => setTimeout(resolve, Number(delayMs)));
  // Some answers are wrong and one is empty, so that scores and outcomes differ between samples.
  if (/q1?3\n/.test(prompt)) return ' wrong';
  return /q77\n/.test(prompt) ? '' : rightAnswer(prompt);
}

const finish = new AbortController();
const stopNow = new AbortController();
process.on('SIGINT', () => (finish.signal.aborted ? stopNow : finish).abort());

try {
  const { writer, resumed } = await openFileRunStore(folder!).open(plan, { fresh: false });
  process.stdout.write(`${resumed ? 'resumed' : 'started'} ${writer.runId}\n`);
  const { facts, interrupted } = await executeRun({
    plan,
    tasks,
    openModel: async () => fakeBackend({ answer }),
    promptContext: () => promptContext,
    writer,
    resumed,
    cache: null,
    clock: {
      nowMs: () => performance.now(),
      utc: () => new Date().toISOString(),
      sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
    },
    meter: null,
    graders: [],
    listener: () => undefined,
    origin,
    signal: finish.signal,
    stopNow: stopNow.signal,
  });
  const record = await finishRun({ plan, writer, facts, createScorer });
  await writer.close();
  process.stdout.write(`${record.status}\n`);
  process.exitCode = interrupted ? 130 : 0;
} catch (error) {
  process.stdout.write(`${ToolError.isInstance(error) ? error.code : 'crash'}: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
