// Answers for which loading the command-line parser would cost more than the answer: the top-level help and plain `list`.
import { readFileSync } from 'node:fs';
import type { ListFlags } from './verbs/list.ts';

/** The help text that the build rendered from the command tree; null when run from sources. */
function builtHelp(): string | null {
  try {
    return readFileSync(new URL('./help.txt', import.meta.url), 'utf8');
  } catch {
    return null;
  }
}

const listed = ['models', 'datasets', 'tasks', 'runs'];

/** Only the plain forms; anything else (and every mistake) goes to the parser. */
function plainList(args: readonly string[]): { readonly what: string | undefined; readonly flags: ListFlags } | null {
  let what: string | undefined;
  let verbose = false;
  let json = false;
  for (const arg of args) {
    if (listed.includes(arg) && what === undefined) what = arg;
    else if (arg === '-v' || arg === '--verbose') verbose = true;
    else if (arg === '--json') json = true;
    else return null;
  }
  return { what, flags: { verbose, json } };
}

/** The text to print, or null when the parser must decide. */
export async function quickAnswer(args: readonly string[]): Promise<string | null> {
  const [first, ...rest] = args;
  if (args.length === 1 && (first === '--help' || first === '-h' || first === 'help')) return builtHelp();
  if (first !== 'list') return null;
  const list = plainList(rest);
  if (list === null) return null;
  const { listCommand } = await import('./list-command.ts');
  return listCommand(list.what, list.flags);
}
