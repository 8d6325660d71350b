// Where the numbers were made and the command that makes them again.
import type { RunRecord } from '../../core/record.ts';
import { dash, formatBytes, formatDuration, formatFixed } from '../format-values.ts';
import { Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

function factsOf({ environment, tool, modelRuns, settings, durationMs, planDigest }: RunRecord): [string, string][] {
  const { git } = tool;
  const revision = git.commit === null ? '' : ` (${git.describe ?? git.commit}${git.dirty === true ? ', changed' : ''})`;
  return [
    ['slmbench', tool.version + revision],
    ['Duration', formatDuration(durationMs)],
    ['Protocol, seed, repeats', `${settings.protocol}, ${settings.seed}, ${settings.repeats}`],
    ['Cache', settings.cache],
    ['OS and kernel', `${environment.os}, ${environment.kernel}`],
    ['CPU', `${environment.cpuModel ?? dash}, ${environment.physicalCores ?? dash} cores (${environment.logicalCores ?? dash} logical)`],
    ['CPU features', environment.cpuFeatures.join(' ') || dash],
    ['Memory', formatBytes(environment.ramBytes)],
    ['GPU', environment.gpus.map((gpu) => `${gpu.name} (${formatBytes(gpu.totalMemoryBytes)})`).join(', ') || 'none'],
    ['Node, Python', `${environment.node}, ${environment.python ?? dash}`],
    ['Load average at start', formatFixed(environment.loadAverage, 2)],
    ...modelRuns.map(({ model, backend }): [string, string] => [
      `Engine of ${model}`,
      [backend.name, backend.version ?? '', ...Object.entries(backend.settings).map(([name, value]) => `${name}=${value}`)].join(' '),
    ]),
    ['Plan digest', planDigest],
  ];
}

export function EnvironmentSection({ record }: { readonly record: RunRecord }) {
  const rows = factsOf(record).map(([name, value]) => ({
    key: name,
    cells: [{ content: visibleText(name) }, { content: visibleText(value) }],
  }));
  return (
    <>
      <h3>
        Run <code>{visibleText(record.id)}</code>
      </h3>
      <p>Run it again:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long commands scroll sideways and must be reachable by keyboard */}
      <pre className="command" tabIndex={0}>
        <code>{visibleText(record.command)}</code>
      </pre>
      <p className="note">
        <code>record.json</code> is the source of every number here; <code>slmbench verify {visibleText(record.id)}</code> recomputes them
        from the journal.
      </p>
      <details>
        <summary>Environment</summary>
        <Table caption="Environment" columns={[{ title: 'Field' }, { title: 'Value' }]} rows={rows} />
      </details>
      {record.notes.length === 0 ? null : (
        <ul className="note">
          {record.notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
