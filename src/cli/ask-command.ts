// `slmbench instruct` and `stream`: one request to the specialised task of a recipe, or raw text to its model.
import { type OpenedTask, openTask, type TaskAnswer } from '../app/specialise/open-task.ts';
import { streamRaw } from '../app/specialise/stream-raw.ts';
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import type { RecipeFlags } from './recipe-options.ts';

export interface InstructFlags extends RecipeFlags {
  readonly base?: boolean;
  readonly field?: readonly string[];
  readonly format?: 'full' | 'text' | 'json' | 'yaml';
}

function fieldsOf(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new ToolError('usage', `--field ${pair}: expected name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function shown(answer: TaskAnswer, format: InstructFlags['format']): string {
  if (format === 'full') return `${JSON.stringify(answer, null, 2)}\n`;
  if (format === 'json') return `${JSON.stringify(answer.value, null, 2)}\n`;
  if (answer.value === null) {
    const reason = answer.outcome.kind === 'invalid' ? answer.outcome.reason : answer.outcome.kind;
    return `(${reason}) ${answer.output ?? ''}\n`;
  }
  return typeof answer.value === 'string'
    ? `${answer.value}\n`
    : `${JSON.stringify(answer.value, null, format === 'yaml' ? 2 : undefined)}\n`;
}

async function withTask<T>(flags: InstructFlags, work: (task: OpenedTask) => Promise<T>): Promise<T> {
  if (flags.config === undefined) throw new ToolError('usage', 'no recipe was named', { hint: 'write -c recipe.yml' });
  const { set: assignments, offline } = flags;
  const task = await openTask(flags.config, { assignments, offline, ...(flags.base === true ? { adapter: false } : {}) });
  try {
    return await work(task);
  } finally {
    await task.close();
  }
}

/** @returns the exit code: 1 where the output is none of the task's answers */
export async function instructCommand(instruction: string | undefined, flags: InstructFlags): Promise<number> {
  const input = flags.field === undefined ? instruction : fieldsOf(flags.field);
  if (input === undefined || input === '')
    throw new ToolError('usage', 'nothing was asked', { hint: 'give the instruction, or --field name=value' });
  const answer = await withTask(flags, (task) => task.run(input));
  process.stdout.write(neutraliseForTerminal(shown(answer, flags.json === true ? 'full' : flags.format)));
  return answer.outcome.kind === 'scored' ? 0 : 1;
}

export async function streamCommand(prompt: string, flags: InstructFlags): Promise<void> {
  if (flags.config === undefined) throw new ToolError('usage', 'no recipe was named', { hint: 'write -c recipe.yml' });
  const { set: assignments, offline } = flags;
  const parts = streamRaw(flags.config, prompt, { assignments, offline, ...(flags.base === true ? { adapter: false } : {}) });
  for await (const text of parts) process.stdout.write(neutraliseForTerminal(text));
  process.stdout.write('\n');
}
