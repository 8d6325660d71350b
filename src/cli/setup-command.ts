// `slmbench setup training`: progress on stderr, where the environment lies on stdout.
import { setUpTraining } from '../app/specialise/set-up-training.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';

export async function setupCommand(flags: { readonly variant?: string; readonly offline?: boolean }): Promise<void> {
  const interrupts = watchInterrupts();
  try {
    const environment = await setUpTraining({
      variant: flags.variant,
      offline: flags.offline,
      signal: interrupts.finish,
      onMessage: (message) => process.stderr.write(`${neutraliseForTerminal(message)}\n`),
    });
    process.stdout.write(`training environment (${environment.variant}, Python ${environment.pythonVersion}): ${environment.folder}\n`);
  } finally {
    interrupts.dispose();
  }
}
