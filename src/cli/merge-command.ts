// `slmbench merge`: prints the table of the merged run and where it lies.
import { mergeShards } from '../app/distributed/merge.ts';
import { openWorkspace } from '../app/workspace.ts';
import { renderTerminal } from '../report/terminal/render-terminal.ts';
import { outputStyle } from './terminal-style.ts';
import type { MergeFlags } from './verbs/merge.ts';

export async function mergeCommand(references: readonly string[], flags: MergeFlags): Promise<number> {
  const { record, folder, shards } = await mergeShards(references, await openWorkspace({ output: flags.output, offline: true }));
  if (flags.json === true) process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
  else {
    process.stdout.write(renderTerminal([record], outputStyle()));
    process.stdout.write(`\nmerged ${shards} shards: ${folder}\n`);
  }
  return record.status === 'failed' ? 1 : 0;
}
