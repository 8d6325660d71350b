// `slmbench doctor`: one line per finding.
import { doctor } from '../app/doctor.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';

const marks = { ok: 'ok  ', missing: 'MISS', note: 'note' } as const;

export async function doctorCommand(flags: { readonly offline?: boolean; readonly json?: boolean }): Promise<string> {
  const findings = await doctor({ offline: flags.offline === true });
  if (flags.json === true) return `${JSON.stringify(findings, null, 2)}\n`;
  const lines = findings.map(
    ({ name, state, value, hint }) =>
      `${marks[state]}  ${name.padEnd(16)} ${value}${hint !== undefined && state !== 'ok' ? `\n                       ${hint}` : ''}`,
  );
  return `${neutraliseForTerminal(lines.join('\n'))}\n`;
}
