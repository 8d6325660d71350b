// `slmbench pull`: progress on stderr, one line per fetched thing on stdout.
import { type Pulled, pull } from '../app/pull.ts';
import { openWorkspace } from '../app/workspace.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import type { PullFlags } from './verbs/pull.ts';

function line(pulled: Pulled): string {
  const splits = Object.entries(pulled.splits).map(([name, rows]) => `${name} ${rows}`);
  const facts = [
    pulled.path ?? splits.join(', '),
    pulled.digest === null ? '' : `sha256 ${pulled.digest}`,
    `served by ${pulled.servedBy ?? 'a local file'}`,
  ];
  return `${pulled.kind} ${pulled.name}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

export async function pullCommand(names: readonly string[], flags: PullFlags): Promise<void> {
  const progress = createProgressWriter(progressMode(flags));
  try {
    const workspace = await openWorkspace({ offline: flags.offline, listener: progress.listener });
    const all: Pulled[] = [];
    for (const name of names.flatMap((part) => part.split(',')).filter((part) => part !== '')) {
      const pulled = await pull(name, workspace);
      progress.close();
      all.push(...pulled);
      if (flags.json !== true) process.stdout.write(`${pulled.map((one) => neutraliseForTerminal(line(one))).join('\n')}\n`);
    }
    if (flags.json === true) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  } finally {
    progress.close();
  }
}
