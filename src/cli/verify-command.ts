// `slmbench verify`: says what was recomputed, or lists every difference.
import { verify } from '../app/verify.ts';
import { openWorkspace } from '../app/workspace.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import type { VerifyFlags } from './verbs/verify.ts';

export async function verifyCommand(run: string, flags: VerifyFlags): Promise<number> {
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const { id, differences, results } = await verify(run, workspace);
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ id, verified: differences.length === 0, differences }, null, 2)}\n`);
  } else if (differences.length === 0) {
    process.stdout.write(`verified ${id}: ${results} results and all artifact digests equal what the journal gives\n`);
  } else {
    const lines = differences
      .slice(0, 50)
      .map(({ path, recorded, recomputed }) => `  ${path}: recorded ${JSON.stringify(recorded)}, recomputed ${JSON.stringify(recomputed)}`);
    process.stdout.write(neutraliseForTerminal(`NOT verified ${id}: ${differences.length} differences\n${lines.join('\n')}\n`));
  }
  return differences.length === 0 ? 0 : 1;
}
