// One model in several quantisations: size, bits per weight, speed, memory, fidelity to the reference, task quality with paired tests.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { estimateMemoryBytes } from '../../../backends/estimate-memory.ts';
import { type FidelitySeries, measureFidelity } from '../../../backends/llama/measure-fidelity.ts';
import { openBackend } from '../../../backends/registry.ts';
import { type ResolvedModel, resolveModel } from '../../../backends/resolve-model.ts';
import { sha256Hex } from '../../../core/digest.ts';
import { messageOf, ToolError } from '../../../core/errors.ts';
import type { Backend } from '../../../core/ports/backend.ts';
import type { RunRecord, Validity } from '../../../core/record.ts';
import { loadDataset } from '../../../datasets/registry.ts';
import { availableMemoryBytes } from '../../../profiler/host-facts.ts';
import { monotonicClock } from '../../../profiler/monotonic-clock.ts';
import { processMeter } from '../../../profiler/process-meter.ts';
import { renderQuantMarkdown } from '../../../report/perf/render-quant.ts';
import { loadFileRunStore } from '../../../store/registry.ts';
import { readSessionOrigin } from '../../session-origin.ts';
import { openWorkspace, type Workspace } from '../../workspace.ts';
import { writeMeasurementPage } from '../../write-run-reports.ts';
import { type EngineOptions, measureEngineSpeed } from '../engine-speed.ts';
import type { PerfModel } from '../perf-model.ts';
import { perfPlan, recordFrame } from '../perf-record.ts';
import type { PerfHooks } from '../perf-request.ts';
import type { EngineSpeed } from '../perf-schema.ts';
import { compareTasks } from './compare-tasks.ts';
import { summariseFidelity } from './fidelity-summary.ts';
import { makeQuantisation } from './make-quantisation.ts';
import { type Quantisation, type QuantMember, type QuantTask, quantisationSchema } from './quant-schema.ts';
import { tensorFallbacks } from './tensor-fallbacks.ts';

export interface QuantRequest {
  /** The first is the reference, unless `from` is given. */
  readonly models: readonly string[];
  /** Best file at hand; copies in `types` are made from it and it is the reference. */
  readonly from: string | null;
  readonly types: readonly string[];
  /** A text file, or null for the built-in text. */
  readonly textFile: string | null;
  readonly windowTokens: number;
  readonly maxWindows: number | null;
  /** Tasks that show the cost in quality; empty: none. */
  readonly tasks: readonly string[];
  readonly samples: number;
  readonly repetitions: number;
  readonly threads: number | null;
  readonly gpuLayers: number | null;
  readonly seed: number;
  readonly name: string | null;
  readonly output: string | undefined;
  readonly offline: boolean;
  readonly commandLine: string;
}

export interface QuantResult {
  readonly record: RunRecord;
  readonly quantisation: Quantisation;
  readonly folder: string;
  readonly files: readonly { readonly what: string; readonly path: string }[];
  readonly exitCode: number;
}

interface Member {
  readonly key: string;
  readonly resolved: ResolvedModel;
  readonly origin: string;
  readonly notes: readonly string[];
}

const builtinTexts = ['summarisation-mini', 'qa-mini', 'commonsense-mini'];

async function readText(request: QuantRequest, workspace: Workspace): Promise<{ readonly name: string; readonly text: string }> {
  if (request.textFile !== null) {
    const text = await readFile(request.textFile, 'utf8').catch((cause: unknown) => {
      throw new ToolError('not-found', `${request.textFile} cannot be read: ${messageOf(cause)}`, { cause });
    });
    return { name: basename(request.textFile), text };
  }
  const parts: string[] = [];
  for (const name of builtinTexts) {
    const dataset = await loadDataset(name, workspace.sources);
    for (const splitName of dataset.splitNames) {
      const split = await dataset.split(splitName);
      parts.push(
        ...split.rows.flatMap(({ fields }) =>
          Object.values(fields).filter((value): value is string => typeof value === 'string' && value.length > 40),
        ),
      );
    }
  }
  return { name: `built-in (${builtinTexts.join(', ')})`, text: parts.join('\n') };
}

async function membersOf(request: QuantRequest, workspace: Workspace, note: (message: string) => void): Promise<readonly Member[]> {
  const context = { ...workspace.sources, userEntries: workspace.userModels };
  const members: Member[] = [];
  const add = async (reference: string, origin: string, notes: readonly string[], key?: string): Promise<void> => {
    const resolved = await resolveModel(reference, context);
    if (resolved.gguf === null) throw new ToolError('usage', `${reference} is no GGUF model; quant compares GGUF files`);
    const name = key ?? resolved.key;
    if (members.some((member) => member.key === name)) throw new ToolError('usage', `${name} is given twice`);
    members.push({ key: name, resolved, origin, notes });
  };
  if (request.from !== null) {
    await add(request.from, 'given', []);
    const source = members[0]!.resolved;
    for (const type of request.types) {
      note(`quantising ${source.key} as ${type}`);
      const made = await makeQuantisation(source, type, { cacheDirectory: workspace.cacheDirectory, threads: request.threads });
      await add(`file:${made.path}`, made.origin, made.notes, basename(made.path, '.gguf'));
    }
  }
  for (const reference of request.models) await add(reference, 'given', []);
  if (members.length < 2)
    throw new ToolError('usage', 'quant compares at least two files', { hint: '-m A B, or --from FILE --types Q8_0,Q4_K_M' });
  return members;
}

function optionsOf(request: QuantRequest): EngineOptions {
  return {
    seed: request.seed,
    ...(request.threads === null ? {} : { threads: request.threads }),
    ...(request.gpuLayers === null ? {} : { gpuLayers: request.gpuLayers }),
  };
}

async function speedOf(
  member: Member,
  request: QuantRequest,
  hooks: PerfHooks,
): Promise<{ readonly speed: EngineSpeed[]; readonly peakRssBytes: number | null }> {
  let peakRssBytes: number | null = null;
  const sessions = new Map<Backend, Awaited<ReturnType<typeof processMeter.start>>>();
  const speed = await measureEngineSpeed({
    settings: {
      promptTokens: 512,
      generatedTokens: 128,
      depths: [0],
      repetitions: request.repetitions,
      threads: [],
      batches: [],
      maxFillMs: 0,
    },
    trainedContext: member.resolved.facts.trainedContext,
    base: optionsOf(request),
    open: async (options) => {
      const backend = await openBackend(member.resolved, options);
      sessions.set(backend, await processMeter.start(() => backend.processIds()));
      return backend;
    },
    close: async (backend) => {
      const summary = await sessions.get(backend)!.stop();
      peakRssBytes = Math.max(peakRssBytes ?? 0, summary.peakRssBytes ?? 0) || null;
      await backend.close();
    },
    onNote: () => {},
    signal: hooks.signal,
  });
  return { speed, peakRssBytes };
}

/** All copies beside the reference at once where they fit into memory, else one at a time. */
async function fidelities(
  members: readonly Member[],
  text: string,
  request: QuantRequest,
  hooks: PerfHooks,
): Promise<{ readonly windows: number; readonly series: readonly FidelitySeries[] }> {
  const [reference, ...candidates] = members;
  const need = members.reduce((sum, { resolved }) => sum + estimateMemoryBytes(resolved.gguf!, request.windowTokens), 0);
  const groups = need < 0.8 * availableMemoryBytes() ? [candidates] : candidates.map((candidate) => [candidate]);
  const series: FidelitySeries[] = [];
  let windows = 0;
  for (const group of groups) {
    const outcome = await measureFidelity({
      reference: reference!.resolved.path!,
      candidates: group.map((member) => member.resolved.path!),
      text,
      windowTokens: request.windowTokens,
      maxWindows: request.maxWindows ?? undefined,
      options: optionsOf(request),
      signal: hooks.signal,
      onProgress: (done, total) => {
        const isTold = done === total || done % 10 === 0;
        if (isTold) hooks.listener({ kind: 'note', at: monotonicClock.utc(), message: `fidelity: window ${done} of ${total}` });
      },
    });
    windows = outcome.windows;
    series.push(...outcome.candidates);
  }
  return { windows, series };
}

function describeMember(member: Member, isReference: boolean): Omit<QuantMember, 'speed' | 'peakRssBytes' | 'fidelity'> {
  const gguf = member.resolved.gguf!;
  return {
    model: member.key,
    quantisation: gguf.quantisation,
    isReference,
    origin: member.origin,
    digest: member.resolved.facts.digest,
    sizeBytes: gguf.sizeBytes,
    parameters: gguf.parameters,
    bitsPerWeight: gguf.bitsPerWeight,
    tensorTypes: Object.fromEntries(
      Object.entries(gguf.tensorTypes).map(([type, { tensors, elements, sizeBytes }]) => [
        type,
        { tensors, elements, bitsPerWeight: elements === 0 ? 0 : (sizeBytes * 8) / elements },
      ]),
    ),
    notes: [...member.notes, ...tensorFallbacks(gguf)],
  };
}

function judge(members: readonly QuantMember[], windows: number): Validity {
  const reasons: { code: string; message: string }[] = [];
  const tokens = members.find((member) => member.fidelity !== null)?.fidelity?.tokens ?? 0;
  if (tokens < 1000) reasons.push({ code: 'few-samples', message: `fidelity rests on ${tokens} tokens in ${windows} windows` });
  if (members.some((member) => member.notes.some((text) => text.includes('itself quantised')))) {
    reasons.push({ code: 'quantised-master', message: 'the copies were made from a file that is itself quantised' });
  }
  return { verdict: reasons.length > 0 ? 'suspect' : 'valid', reasons };
}

/** @throws ToolError `usage`, `data` (other vocabularies), and what resolving and loading models throw */
export async function runQuant(request: QuantRequest, hooks: PerfHooks): Promise<QuantResult> {
  const workspace = await openWorkspace({
    offline: request.offline,
    output: request.output,
    listener: hooks.listener,
    signal: hooks.signal,
  });
  const startedAt = monotonicClock.utc();
  const startMs = monotonicClock.nowMs();
  const note = (message: string): void => hooks.listener({ kind: 'note', at: monotonicClock.utc(), message });
  const members = await membersOf(request, workspace, note);
  const { name, text } = await readText(request, workspace);
  const { windows, series } = await fidelities(members, text, request, hooks);
  const described: QuantMember[] = [];
  for (const [index, member] of members.entries()) {
    if (request.repetitions > 0) note(`speed of ${member.key}`);
    const measured = request.repetitions > 0 ? await speedOf(member, request, hooks) : { speed: [], peakRssBytes: null };
    described.push({
      ...describeMember(member, index === 0),
      ...measured,
      fidelity: index === 0 ? null : summariseFidelity(series[index - 1]!),
    });
  }
  const quality: { readonly tasks: readonly QuantTask[]; readonly run: string | null } =
    request.tasks.length === 0
      ? { tasks: [], run: null }
      : await compareTasks(
          members.map(({ key, resolved }) => ({ key, path: resolved.path! })),
          request,
          hooks,
        );
  const quantisation = quantisationSchema.parse({
    schema: 'slmbench/quantisation/1',
    reference: members[0]!.key,
    text: {
      name,
      sha256: sha256Hex(text),
      windows,
      windowTokens: request.windowTokens,
      bos: 'as the model wants it, at the start of each window',
      scored: 'second half of each window',
    },
    members: described,
    tasks: quality.tasks,
    taskRun: quality.run,
    validity: judge(described, windows),
  });
  return writeRun(request, workspace, members, quantisation, { startedAt, durationMs: monotonicClock.nowMs() - startMs }, hooks);
}

async function writeRun(
  request: QuantRequest,
  workspace: Workspace,
  members: readonly Member[],
  quantisation: Quantisation,
  time: { readonly startedAt: string; readonly durationMs: number },
  hooks: PerfHooks,
): Promise<QuantResult> {
  const models = members.map(
    ({ key, resolved }): PerfModel => ({
      key,
      resolved,
      options: {},
      planned: {
        key,
        reference: resolved.reference,
        title: resolved.title,
        backend: 'llama',
        facts: resolved.facts,
        settings: {},
        estimatedMemoryBytes: null,
        notes: [],
      },
    }),
  );
  const plan = perfPlan(models, { seed: request.seed, repetitions: 1, profile: true });
  const store = await loadFileRunStore(workspace.runsFolder);
  const { writer } = await store.open(plan, { fresh: true });
  const folder = join(workspace.runsFolder, writer.runId);
  try {
    const frame = recordFrame({
      id: writer.runId,
      name: request.name ?? `quantisations of ${members[0]!.key}`,
      plan,
      origin: await readSessionOrigin(request.commandLine),
      notes: [],
      startedAt: time.startedAt,
      finishedAt: monotonicClock.utc(),
      durationMs: time.durationMs,
      status: hooks.signal?.aborted === true ? 'partial' : 'complete',
      artifacts: {},
    });
    const record: RunRecord = {
      ...frame,
      quantisation: JSON.parse(JSON.stringify(quantisation)) as NonNullable<RunRecord['quantisation']>,
    };
    await writer.writeArtifact(
      'report.md',
      renderQuantMarkdown(quantisation, { title: record.name, created: record.created, command: record.command, notes: record.notes }),
    );
    await writeMeasurementPage(record, writer, folder);
    await writer.writeRecord(record);
    const files = ['record.json', 'report.md', 'report.html'].map((what) => ({ what, path: join(folder, what) }));
    return { record, quantisation, folder, files, exitCode: hooks.signal?.aborted === true ? 130 : 0 };
  } finally {
    await writer.close();
  }
}
