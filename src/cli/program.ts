// The command tree: all verbs by name and summary, the typed one with its flags.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type SetExitCode, verbs } from './verb-index.ts';

const examples = `
Examples:
  slmbench quickstart
  slmbench run -m smollm2-135m -d arc-easy,sst2 -n 100
  slmbench run -m ./model.gguf -d ./mine.jsonl --report
  slmbench compare -m smollm2-135m qwen3-0.6b -d mmlu -n 50

Exit codes: 0 ok, 1 run failed, 2 usage, config or bad input, 3 threshold missed, 130 interrupted (143 by SIGTERM).`;

/** Version of this package, read from its own package.json (two folders up from src/cli and from dist/cli). */
export function toolVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The verb of a command line: the first argument that is one (`-c recipe.yml benchmark` has options before it). */
function typedVerb(args: readonly string[]): string | undefined {
  const first = args[0] === 'help' ? args[1] : args.find((arg, index) => Object.hasOwn(verbs, arg) && !isValueOfConfig(args[index - 1]));
  return first !== undefined && Object.hasOwn(verbs, first) ? first : undefined;
}

function isValueOfConfig(previous: string | undefined): boolean {
  return previous === '-c' || previous === '--config';
}

export async function buildProgram(args: readonly string[], setExitCode: SetExitCode): Promise<Command> {
  const program = new Command('slmbench');
  program
    .description('Which small language model to run on your own hardware, how good and how fast it is there, with proof.')
    .version(toolVersion(), '-V, --version')
    .option('-c, --config <file>', 'recipe file (YAML, JSON or TypeScript)')
    .showHelpAfterError('(slmbench --help shows the commands, slmbench COMMAND --help its flags)')
    .showSuggestionAfterError(true)
    .exitOverride()
    .addHelpText('after', examples);
  const typed = typedVerb(args);
  for (const [name, verb] of Object.entries(verbs)) {
    const command = program.command(name).description(verb.summary);
    if (name === typed) (await verb.load()).register(command, setExitCode);
  }
  return program;
}
