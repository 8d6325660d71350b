// The facts part of the benchmark report: dataset, training, test, environment, packages, model and provenance.
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { formatBytes, formatDuration } from '../format-values.ts';
import { markdownTable } from '../markdown/escape-markdown.ts';
import { cell, code, rawNumber, score, seconds, whole, yesNo } from './benchmark-cells.ts';

type Pair = readonly [string, string] | null;

function fields(pairs: readonly Pair[], right = false): string {
  const rows = pairs.filter((pair) => pair !== null).map(([name, value]) => [name, value]);
  return markdownTable(['Field', 'Value'], ['left', right ? 'right' : 'left'], rows);
}

function joined(title: string, ...parts: readonly (string | null)[]): string | null {
  const body = parts.filter((part): part is string => part !== null && part !== '');
  return body.length === 0 ? null : `${title}\n\n${body.join('\n\n')}`;
}

export function datasetSection({ dataset }: BenchmarkRecord): string | null {
  const rows = dataset.splits.map((split) => [
    cell(split.name),
    whole(split.examples),
    split.classCounts === null
      ? '—'
      : Object.entries(split.classCounts)
          .map(([label, count]) => `${code(label)}=${count}`)
          .join(', '),
  ]);
  const about = [
    dataset.source === null
      ? null
      : `Source: ${code(dataset.source)}${dataset.revision === null ? '' : `, revision ${code(dataset.revision)}`}.`,
    dataset.licence === null ? null : `Licence: ${cell(dataset.licence)}.`,
    dataset.leaks === null
      ? null
      : `Rows in two splits: ${dataset.leaks.exact} exact, ${dataset.leaks.near} near (similarity of at least ${dataset.leaks.nearThreshold}); ${dataset.leaks.removed.length} taken out of the held-out splits.`,
  ].filter((line) => line !== null);
  return joined(
    '## Dataset',
    rows.length === 0 ? null : markdownTable(['Split', 'Examples', 'Class counts'], ['left', 'right', 'left'], rows),
    about.join(' '),
  );
}

export function trainingSection({ training }: BenchmarkRecord): string | null {
  if (training === null) return null;
  const own: Pair[] = [
    training.seed === null ? null : ['Seed', whole(training.seed)],
    training.examples === null ? null : ['Training pairs', whole(training.examples)],
    training.supervisedTokens === null ? null : ['Supervised tokens', whole(training.supervisedTokens)],
    training.peakRssBytes === null ? null : ['Peak memory', formatBytes(training.peakRssBytes)],
    training.adapterDigest === null ? null : ['Adapter sha256', code(training.adapterDigest)],
  ];
  return joined(
    '## Training',
    fields([
      ['Global steps', whole(training.globalSteps)],
      ['Training loss', rawNumber(training.trainingLoss)],
      ['End-to-end training time', seconds(training.elapsedSeconds)],
      ['PEFT output', code(training.adapterPath)],
      ['Adapter size', training.adapterSizeBytes === null ? '—' : `${training.adapterSizeBytes} bytes`],
      ...own,
    ]),
  );
}

export function validationSection({ validation }: BenchmarkRecord): string | null {
  if (validation === null) return null;
  return joined(
    '### Validation while training',
    'These figures chose the checkpoint; they are not held-out results.',
    fields(
      [
        ['Examples', whole(validation.examples)],
        ['Best loss', rawNumber(validation.bestLoss)],
        ['Best step', whole(validation.bestStep)],
        ['Last loss', rawNumber(validation.lastLoss)],
      ],
      true,
    ),
  );
}

export function lossSection({ training }: BenchmarkRecord): string | null {
  const points = (training?.lossCurve ?? []).filter((point) => point.kind === 'train');
  if (points.length === 0) return null;
  const step = Math.max(1, Math.ceil(points.length / 12));
  const shown = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  return joined(
    '### Loss curve',
    markdownTable(
      ['Step', 'Loss'],
      ['right', 'right'],
      shown.map((point) => [whole(point.step), score(point.loss)]),
    ),
  );
}

/** Figures of foreign trainers are floats; our own counts are whole. */
export function diagnosticsSection({ training, generator }: BenchmarkRecord): string | null {
  const entries = Object.entries(training?.diagnostics ?? {});
  if (entries.length === 0) return null;
  return joined(
    '### Trainer diagnostics',
    markdownTable(
      ['Metric', 'Value'],
      ['left', 'right'],
      entries.map(([name, value]) => [cell(name), generator.name === 'lmtask' ? rawNumber(value) : String(value)]),
    ),
  );
}

export function testingSection({ testing }: BenchmarkRecord): string {
  const finish = Object.entries(testing.finishReasons).map(([reason, count]) => `${cell(reason)} ${count}`);
  return joined(
    '## Held-out testing',
    fields([
      ['Examples', whole(testing.examples)],
      ['Runtime', seconds(testing.elapsedSeconds)],
      ['Predictions', code(testing.predictionsFile)],
      testing.latencyMs === null
        ? null
        : ['Latency p50 / p90', `${formatDuration(testing.latencyMs.p50)} / ${formatDuration(testing.latencyMs.p90)}`],
      testing.resources === null ? null : ['Peak memory', formatBytes(testing.resources.peakRssBytes)],
      finish.length === 0 ? null : ['Finish reasons', finish.join(', ')],
      testing.errors === 0 ? null : ['Failed requests', whole(testing.errors)],
    ]),
  )!;
}

export function environmentSection(record: BenchmarkRecord): string | null {
  const { environment, tool, project, generator } = record;
  const label = generator.name === 'lmtask' ? 'LMTask' : generator.name;
  return joined(
    '## Environment',
    fields([
      [`${label} revision`, code(tool.commit)],
      ['Git describe', code(tool.describe)],
      ['Dirty working tree', yesNo(tool.dirty)],
      tool.diffDigest === null ? null : ['Digest of the difference', code(tool.diffDigest)],
      project === null ? null : ['Project revision', code(project.commit)],
      project === null ? null : ['Project dirty', yesNo(project.dirty)],
      project?.diffDigest == null ? null : ['Digest of the project’s difference', code(project.diffDigest)],
      environment?.python === undefined ? null : ['Python', cell(environment.python)],
      environment?.node === undefined || environment.node === '' ? null : ['Node', cell(environment.node)],
      environment?.os === undefined ? null : ['OS', cell(environment.os)],
      environment?.kernel === undefined ? null : ['Kernel', cell(environment.kernel)],
      environment?.cpuModel == null ? null : ['CPU', `${cell(environment.cpuModel)}, ${whole(environment.physicalCores)} cores`],
      environment?.ramBytes == null ? null : ['RAM', formatBytes(environment.ramBytes)],
      ['CUDA_VISIBLE_DEVICES', code(environment?.cudaVisibleDevices)],
      ['PyTorch CUDA runtime', cell(environment?.cudaRuntime)],
      ['NVIDIA driver', cell(environment?.nvidiaDriver)],
    ]),
  );
}

export function gpuSection({ environment }: BenchmarkRecord): string | null {
  const gpus = environment?.gpus ?? [];
  if (gpus.length === 0) return null;
  return joined(
    '### GPUs visible to the benchmark process',
    markdownTable(
      ['Device', 'GPU', 'Memory', 'Peak allocated', 'Peak reserved'],
      ['right', 'left', 'right', 'right', 'right'],
      gpus.map((gpu) => [
        whole(gpu.index),
        cell(gpu.name),
        whole(gpu.totalMemoryBytes),
        whole(gpu.peakAllocatedBytes),
        whole(gpu.peakReservedBytes),
      ]),
    ),
  );
}

export function packageSection({ environment }: BenchmarkRecord): string | null {
  const entries = Object.entries(environment?.packages ?? {});
  if (entries.length === 0) return null;
  return joined(
    '### Package versions',
    markdownTable(
      ['Package', 'Version'],
      ['left', 'left'],
      entries.map(([name, version]) => [cell(name), cell(version)]),
    ),
  );
}

export function modelSection({ model, task, configDigest }: BenchmarkRecord): string | null {
  if (model.digest === null && task.prompt === null) return null;
  return joined(
    '### Model, prompt and settings',
    fields([
      ['Model', `${cell(model.title)} (${code(model.reference)})`],
      ['Weights sha256', code(model.digest)],
      ['Architecture', `${cell(model.architecture)}, ${whole(model.parameters)} parameters, ${cell(model.quantisation)}`],
      ['Chat template sha256', code(model.chatTemplateDigest)],
      ['Backend', cell(model.backend)],
      ['System prompt', code(task.system)],
      ['Prompt', code(task.prompt)],
      ['Generation', code(JSON.stringify(task.generation))],
      ['Prompts sha256', code(task.promptsDigest)],
      ['Recipe sha256', code(configDigest)],
    ]),
  );
}

export function provenanceSection({ stages }: BenchmarkRecord): string | null {
  const entries = Object.entries(stages);
  if (entries.length === 0) return null;
  return joined(
    '### Stages',
    markdownTable(
      ['Stage', 'Finished', 'Time', 'slmbench', 'Tree', 'Fingerprint'],
      ['left', 'left', 'right', 'left', 'left', 'left'],
      entries.map(([name, stage]) => [
        cell(name),
        cell(stage.finished),
        seconds(stage.elapsedSeconds),
        code((stage.tool.git.commit ?? stage.tool.version).slice(0, 12)),
        stage.tool.git.dirty === true ? 'dirty' : 'clean',
        code(stage.fingerprint.slice(0, 12)),
      ]),
    ),
  );
}
