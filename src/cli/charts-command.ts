// `slmbench charts`: writes reports of finished runs and names the files.
import { openRun } from '../app/open-run.ts';
import { readReportInput } from '../app/read-report-input.ts';
import { openWorkspace } from '../app/workspace.ts';
import { defaultReportFormats, type ReportFormat, reportFormats, writeReports } from '../app/write-reports.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { joinReportInputs } from '../report/report-input.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import type { ChartsFlags } from './verbs/charts.ts';

function isFormat(name: string): name is ReportFormat {
  return (reportFormats as readonly string[]).includes(name);
}

function readFormats(names: readonly string[] | undefined): readonly ReportFormat[] {
  if (names === undefined) return defaultReportFormats;
  return names.map((name) => {
    if (isFormat(name)) return name;
    throw new ToolError('usage', `unknown report format "${name}"`, {
      hint: suggestName(name, reportFormats) ?? `one of ${reportFormats.join(', ')}`,
    });
  });
}

export async function chartsCommand(references: readonly string[], flags: ChartsFlags): Promise<string> {
  const formats = readFormats(flags.format);
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const runs = await Promise.all(references.map((reference) => openRun(reference, workspace)));
  const inputs = [];
  for (const run of runs) inputs.push(await readReportInput(run, workspace.userMetrics));
  const files = await writeReports(joinReportInputs(inputs), flags.reportDir, formats);
  return flags.json === true ? `${JSON.stringify({ files }, null, 2)}\n` : neutraliseForTerminal(`${files.join('\n')}\n`);
}
