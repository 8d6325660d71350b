// The rendering stage: record, predictions and report in benchmark/, written together and only when something in them changed.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../../core/digest.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type BenchmarkRecord, benchmarkRecordSchema, type ExportVariant } from '../../core/specialise-record.ts';
import { benchmarkRendererVersion, renderBenchmark } from '../../report/benchmark/render-benchmark.ts';
import { buildBenchmarkRecord } from './build-benchmark-record.ts';
import { comparedBefore, exportResultFile } from './exported-variants.ts';
import { type HeldOutSet, runRecordOf } from './held-out-set.ts';
import type { ScoredSet } from './score-stage.ts';
import type { ScoringSession } from './session.ts';
import { decideStage, findStage, type StageFile, writeJson, writeStageFile } from './stage.ts';
import { writeOutput } from './write-output.ts';

const code = 'render/1';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function outputProblem(file: StageFile, folder: string): Promise<string | null> {
  for (const [name, digest] of Object.entries(file.outputs)) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => null);
    if (text === null) return `${name} is missing`;
    if (sha256(text) !== digest) return `${name} was changed`;
  }
  return null;
}

function inputsOf(session: ScoringSession, runs: HeldOutSet, scored: ScoredSet, exports: readonly ExportVariant[]): JsonObject {
  return {
    code,
    renderer: benchmarkRendererVersion,
    recipe: session.loaded.digest,
    data: session.data.block as unknown as JsonObject,
    stages: Object.fromEntries([
      ...runs.flatMap((run) => [
        ...(run.training === null ? [] : [[`train (seed ${run.seed})`, run.training.stage.provenance.finished] as const]),
        [run.title, run.stage.provenance.finished] as const,
      ]),
      ['score', scored.stage.provenance.finished],
    ]),
    ...(exports.length === 0 ? {} : { exports: digestOf(exports) }),
  };
}

/** @returns the record as it lies in benchmark/ */
export async function renderStage(session: ScoringSession, runs: HeldOutSet, scored: ScoredSet): Promise<BenchmarkRecord> {
  const { benchmark, results } = session.layout;
  const adapterDigest = runs[0].training?.block.adapterDigest ?? null;
  const exports = comparedBefore(await findStage(exportResultFile(session.layout)), adapterDigest, session.data.digests.test);
  const inputs = inputsOf(session, runs, scored, exports);
  const path = join(results, 'render-result.json');
  const decision = await decideStage({
    title: 'render',
    path,
    inputs,
    forced: session.isForced('render'),
    checkOutputs: (file) => outputProblem(file, benchmark.folder),
  });
  session.note(`render: ${decision.kind === 'reuse' ? 'reused' : 'runs'}: ${decision.reason}`);
  if (decision.kind === 'reuse') return benchmarkRecordSchema.parse(JSON.parse(await readFile(benchmark.json, 'utf8')));
  const startedMs = performance.now();
  const lines = scored.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const record = buildBenchmarkRecord({
    session,
    runs,
    scored,
    runRecord: await runRecordOf(session, runs[0]),
    predictions: { file: benchmark.jsonl, digest: sha256(lines) },
    exports,
  });
  const markdown = renderBenchmark(record);
  await writeOutput(benchmark.jsonl, lines);
  await writeJson(benchmark.json, record);
  await writeOutput(benchmark.markdown, markdown);
  const stem = (file: string) => file.slice(benchmark.folder.length + 1);
  await writeStageFile(path, {
    stage: 'render',
    inputs,
    outputs: {
      [stem(benchmark.jsonl)]: sha256(lines),
      [stem(benchmark.json)]: sha256(`${JSON.stringify(record, null, 2)}\n`),
      [stem(benchmark.markdown)]: sha256(markdown),
    },
    result: null as Json,
    startedMs,
    command: session.commandLine,
  });
  return record;
}
