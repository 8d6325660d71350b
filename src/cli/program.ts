// The command tree. Registration is cheap: no verb loads its use case before it is chosen.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { registerCache } from './verbs/cache.ts';
import { registerCompare } from './verbs/compare.ts';
import { registerDoctor } from './verbs/doctor.ts';
import { registerExtract } from './verbs/extract.ts';
import { registerList } from './verbs/list.ts';
import { registerPull } from './verbs/pull.ts';
import { registerQuickstart } from './verbs/quickstart.ts';
import { registerRecord } from './verbs/record.ts';
import { registerRun } from './verbs/run.ts';
import { registerSample } from './verbs/sample.ts';
import { registerScore } from './verbs/score.ts';
import { registerTasks } from './verbs/tasks.ts';
import { registerVerify } from './verbs/verify.ts';

/** Tells `main` the exit code of a verb that ended without an exception. */
export type SetExitCode = (code: number) => void;

export type RegisterVerb = (program: Command, setExitCode: SetExitCode) => void;

const verbs: readonly RegisterVerb[] = [
  registerQuickstart,
  registerRun,
  registerCompare,
  registerList,
  registerPull,
  registerSample,
  registerVerify,
  registerRecord,
  registerTasks,
  registerScore,
  registerExtract,
  registerDoctor,
  registerCache,
];

/** Version of this package, read from its own package.json (two folders up from src/cli and from dist/cli). */
export function toolVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export function buildProgram(setExitCode: SetExitCode): Command {
  const program = new Command('slmbench');
  program
    .description('Which small language model to run on your own hardware, how good and how fast it is there, with proof.')
    .version(toolVersion(), '-V, --version')
    .option('-c, --config <file>', 'recipe file (YAML, JSON or TypeScript)')
    .showHelpAfterError('(slmbench --help shows the commands, slmbench COMMAND --help its flags)')
    .showSuggestionAfterError(true)
    .exitOverride()
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  slmbench quickstart\n' +
        '  slmbench run -m smollm2-135m -d arc-easy,sst2 -n 100\n' +
        '  slmbench run -m ./model.gguf -d ./mine.jsonl --report\n' +
        '  slmbench compare -m smollm2-135m qwen3-0.6b -d mmlu -n 50\n' +
        '\nExit codes: 0 ok, 1 run failed, 2 usage or config, 3 threshold missed, 130 interrupted.',
    );
  for (const register of verbs) register(program, setExitCode);
  for (const command of program.commands) command.exitOverride();
  return program;
}
