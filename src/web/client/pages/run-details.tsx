// Everything that is recorded of a run: how to reproduce it, models, tasks, machine, log.
import type { ReactNode } from 'react';
import type { PlannedModel, PlannedTask } from '../../../core/plan.ts';
import type { RunRecord } from '../../../core/record.ts';
import { dash, formatBytes, formatDuration, formatParameters } from '../../../report/format-values.ts';
import type { RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { Outside, TextBlock } from '../parts/text.tsx';
import { RunLog } from './run-log.tsx';

type Fact = readonly [name: string, value: string | number | null | undefined];

function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Outside text={value === null || value === undefined || value === '' ? dash : String(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function modelFacts({ facts, reference, backend, settings }: PlannedModel): Fact[] {
  return [
    ['Reference', reference],
    ['Backend', backend],
    ['File', facts.file],
    ['Digest', facts.digest],
    ['Architecture', facts.architecture],
    ['Parameters', formatParameters(facts.parameters)],
    ['Quantisation', facts.quantisation],
    ['Size', formatBytes(facts.sizeBytes)],
    ['Licence', facts.licence],
    ['Chat template', facts.chatTemplateDigest],
    ['Settings', JSON.stringify(settings)],
  ];
}

function taskFacts(task: PlannedTask): Fact[] {
  return [
    ['Version', task.version],
    ['Kind', `${task.kind}, ${task.type}`],
    ['Protocol', task.protocol],
    ['Primary metric', task.primaryMetric],
    ['Few-shot examples', task.fewShotIds.length],
    ['Dataset', `${task.dataset.name}, ${task.dataset.split}`],
    ['Source', task.dataset.source],
    ['Licence', task.dataset.licence],
    ['Selection', task.selection],
    ['Test set', task.manifest],
    ['Task digest', task.digest],
    ['Generation', JSON.stringify(task.generation)],
  ];
}

function machineFacts({ environment }: RunRecord): Fact[] {
  return [
    ['System', `${environment.os}, ${environment.kernel}`],
    ['Processor', environment.cpuModel],
    ['Cores', `${environment.physicalCores ?? dash} physical, ${environment.logicalCores ?? dash} logical`],
    ['Memory', formatBytes(environment.ramBytes)],
    ['GPUs', environment.gpus.map((gpu) => gpu.name).join(', ')],
    ['Load at start', environment.loadAverage],
    ['Node', environment.node],
    ['Virtual machine', environment.virtualised === null ? null : String(environment.virtualised)],
    [
      'Packages',
      Object.entries(environment.packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
  ];
}

function Record({ record }: { readonly record: RunRecord }): ReactNode {
  return (
    <>
      <section>
        <h2>Reproduce</h2>
        <TextBlock text={record.command} />
        <Facts
          facts={[
            ['slmbench', `${record.tool.version} ${record.tool.git.describe ?? ''}`],
            ['Seed', record.settings.seed],
            ['Repeats', record.settings.repeats],
            ['Deterministic', String(record.settings.deterministic)],
            ['Cache', record.settings.cache],
            ['Started', record.created],
            ['Duration', formatDuration(record.durationMs)],
            ['Plan', record.planDigest],
          ]}
        />
        {record.notes.length === 0 ? null : (
          <ul className="muted">
            {record.notes.map((note) => (
              <li key={note}>
                <Outside text={note} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Machine</h2>
        <Facts facts={machineFacts(record)} />
      </section>
    </>
  );
}

export function RunDetails({ detail }: { readonly detail: RunDetail }): ReactNode {
  return (
    <>
      {detail.record === null ? null : <Record record={detail.record} />}
      <section>
        <h2>Models</h2>
        {detail.models.map((model) => (
          <details key={model.key} open={detail.models.length === 1}>
            <summary>
              <Outside text={model.key} />{' '}
              <span className="muted">
                <Outside text={model.title} />
              </span>
            </summary>
            <Facts facts={modelFacts(model)} />
          </details>
        ))}
      </section>
      <section>
        <h2>Tasks</h2>
        {detail.tasks.map((task) => (
          <details key={task.key} open={detail.tasks.length === 1}>
            <summary>
              <Outside text={task.key} />{' '}
              <span className="muted">
                <Outside text={task.title} />
              </span>
            </summary>
            <Facts facts={taskFacts(task)} />
          </details>
        ))}
      </section>
      <RunLog detail={detail} />
    </>
  );
}
