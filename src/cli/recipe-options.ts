// Flags that the verbs of a specialise recipe share, and what the use cases get from them.
import { type Command, Option } from 'commander';
import type { SpecialiseOptions } from '../app/specialise/session.ts';
import { stageNames } from '../app/specialise/stage-names.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { integer, repeated } from './option-values.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine } from './run-options.ts';
import { withTrainingLines } from './training-lines.ts';

export interface RecipeFlags {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly limit?: number;
  readonly strict?: boolean;
  readonly seeds?: number;
  readonly force?: readonly (typeof stageNames)[number][];
  readonly offline?: boolean;
  readonly progress?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Flags of every verb that takes a recipe. */
export function addRecipeOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'recipe file; also accepted before the verb')
    .option('--set <path=value>', 'override one value of the recipe (repeatable)', repeated)
    .option('--offline', 'make no connection at all')
    .option('--json', 'print JSON');
}

/** Flags of the verbs that train or test. */
export function addStageOptions(command: Command): Command {
  return addRecipeOptions(command)
    .option('--limit <n>', 'the first N rows of each split: a smoke run that cannot be published', integer(1))
    .option('--strict', 'fail when a row stands, exactly or nearly, in two splits')
    .option('--seeds <n>', 'seeds 0 to N-1 instead of those of the recipe', integer(1, 100))
    .addOption(new Option('--force <stage...>', 'run a stage although its result is valid').choices(stageNames))
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress, only results');
}

/** Runs work with progress on stderr and Ctrl-C wired: the same command resumes what was stopped. */
export async function withRecipe<T>(flags: RecipeFlags, work: (options: SpecialiseOptions) => Promise<T>): Promise<T> {
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    return await work({
      recipeFile: flags.config,
      assignments: flags.set,
      limit: flags.limit,
      strict: flags.strict,
      force: flags.force,
      seedCount: flags.seeds,
      offline: flags.offline,
      commandLine: shownCommandLine(process.argv.slice(2)),
      listener: withTrainingLines(progress.listener),
      signal: interrupts.finish,
      stop: interrupts.stop,
    });
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
