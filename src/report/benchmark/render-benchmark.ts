// The Markdown report of a benchmark record, in the order that readers of task benchmarks know; sections without content drop out.
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { cell, code } from './benchmark-cells.ts';
import {
  datasetSection,
  diagnosticsSection,
  environmentSection,
  gpuSection,
  lossSection,
  modelSection,
  packageSection,
  provenanceSection,
  testingSection,
  trainingSection,
  validationSection,
} from './benchmark-facts.ts';
import { classSection, confusionSection, invalidLine, resultsSection } from './benchmark-results.ts';

/** Raise when the report of an unchanged record changes. */
export const benchmarkRendererVersion = '1';

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)!;
}

function shellWord(text: string): string {
  const clean = text.replace(/[`\n\r]/g, '');
  return /^[\w@%+=:,./-]+$/.test(clean) ? clean : `'${clean.replace(/'/g, "'\\''")}'`;
}

function heading(record: BenchmarkRecord): string {
  const by = record.generator.name === 'lmtask' ? 'LMTask' : record.generator.name;
  return `# ${cell(record.title)}\n\nMade by ${by} from\n${code(record.configFile)} on ${record.created}.`;
}

function reproducibility(record: BenchmarkRecord): string {
  const { predictionsFile } = record.testing;
  const predictions = predictionsFile === null ? '' : ` The held-out predictions are in ${code(fileName(predictionsFile))}.`;
  const command = record.generator.name === 'slmbench' ? `\n\n\`\`\`sh\nslmbench benchmark -c ${shellWord(record.configFile)}\n\`\`\`` : '';
  return `## Reproducibility\n\nEvery number here comes from the JSON record ${code(`${record.name}.json`)}.${predictions}${command}`;
}

function notes({ notes: lines }: BenchmarkRecord): string | null {
  return lines.length === 0 ? null : `## Notes\n\n${lines.map((line) => `* ${cell(line)}`).join('\n')}`;
}

/** Text equals for equal records. */
export function renderBenchmark(record: BenchmarkRecord): string {
  const sections = [
    heading(record),
    resultsSection(record),
    classSection(record),
    confusionSection(record),
    invalidLine(record),
    datasetSection(record),
    trainingSection(record),
    validationSection(record),
    lossSection(record),
    diagnosticsSection(record),
    testingSection(record),
    environmentSection(record),
    gpuSection(record),
    packageSection(record),
    modelSection(record),
    provenanceSection(record),
    reproducibility(record),
    notes(record),
  ];
  return `${sections.filter((section) => section !== null).join('\n\n\n')}\n`;
}
