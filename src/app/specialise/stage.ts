// One stage of a benchmark and its result file: reused while its inputs are the same and its outputs untouched, else run again, and it says why.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { digestOf } from '../../core/digest.ts';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type StageProvenance, stageProvenanceSchema } from '../../core/specialise-record.ts';
import { readSessionOrigin } from '../session-origin.ts';
import { writeOutput } from './write-output.ts';

const stageFileSchema = z.strictObject({
  schema: z.literal('slmbench/stage/1'),
  stage: z.string(),
  fingerprint: z.string(),
  /** What the fingerprint is made of. */
  inputs: z.record(z.string(), z.json()),
  /** sha256 of every output, by path relative to the project or by name. */
  outputs: z.record(z.string(), z.string()),
  provenance: stageProvenanceSchema,
  result: z.json(),
});
export type StageFile = z.infer<typeof stageFileSchema>;

export type StageDecision =
  | { readonly kind: 'reuse'; readonly file: StageFile; readonly reason: string }
  | { readonly kind: 'run'; readonly reason: string };

export interface StageQuestion {
  /** `train`, `test`, `test zero-shot`, `train seed 2`... */
  readonly title: string;
  readonly path: string;
  readonly inputs: JsonObject;
  readonly forced: boolean;
  /** What is wrong with the outputs that a result file speaks of; null when all is well. */
  readonly checkOutputs: (file: StageFile) => Promise<string | null>;
}

async function readStageFile(path: string): Promise<StageFile | 'missing' | { readonly damage: string }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw new ToolError('storage', `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return stageFileSchema.parse(JSON.parse(text));
  } catch (error) {
    return { damage: messageOf(error).split('\n')[0]! };
  }
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 8) : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every leaf that differs, as `settings.lora.rank 8 -> 16`. */
export function differencesOf(before: Json | undefined, after: Json | undefined, path = ''): string[] {
  if (digestOf(before ?? null) === digestOf(after ?? null) && (before === undefined) === (after === undefined)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differencesOf(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  return [`${path} ${shown(before)} -> ${shown(after)}`];
}

/** Whether the stage must run, with the reason in words. */
export async function decideStage(question: StageQuestion): Promise<StageDecision> {
  if (question.forced) return { kind: 'run', reason: 'forced' };
  const file = await readStageFile(question.path);
  if (file === 'missing') return { kind: 'run', reason: 'no result yet' };
  if ('damage' in file) return { kind: 'run', reason: `its result file cannot be read: ${file.damage}` };
  const differences = differencesOf(file.inputs as JsonObject, question.inputs);
  if (differences.length > 0) {
    const listed = differences.slice(0, 6).join('; ');
    return { kind: 'run', reason: `stale: ${listed}${differences.length > 6 ? `; and ${differences.length - 6} more` : ''}` };
  }
  if (file.fingerprint !== digestOf(file.inputs)) return { kind: 'run', reason: 'its result file was changed by hand' };
  const problem = await question.checkOutputs(file);
  if (problem !== null) return { kind: 'run', reason: problem };
  return {
    kind: 'reuse',
    file,
    reason: `inputs unchanged since ${file.provenance.finished} (fingerprint ${file.fingerprint.slice(0, 8)})`,
  };
}

export interface FinishedStage {
  readonly stage: string;
  readonly inputs: JsonObject;
  readonly outputs: Readonly<Record<string, string>>;
  readonly result: Json;
  readonly startedMs: number;
  readonly command: string;
}

/** Provenance of a stage that ends now. */
export async function provenanceOf(facts: Pick<FinishedStage, 'inputs' | 'startedMs' | 'command'>): Promise<StageProvenance> {
  const { tool, project, environment } = await readSessionOrigin(facts.command);
  return {
    fingerprint: digestOf(facts.inputs),
    finished: new Date().toISOString(),
    elapsedSeconds: (performance.now() - facts.startedMs) / 1000,
    tool,
    project,
    environment,
    command: facts.command,
  };
}

/** Writes the result file: the last step of a stage, so a stage that was killed has none. */
export async function writeStageFile(path: string, finished: FinishedStage): Promise<StageFile> {
  const { stage, inputs, outputs, result } = finished;
  const file = stageFileSchema.parse({
    schema: 'slmbench/stage/1',
    stage,
    fingerprint: digestOf(inputs),
    inputs,
    outputs,
    provenance: await provenanceOf(finished),
    result,
  });
  await writeJson(path, file);
  return file;
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeOutput(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** A result file, or null where there is none that can be read. */
export async function findStage(path: string): Promise<StageFile | null> {
  const file = await readStageFile(path);
  return file === 'missing' || 'damage' in file ? null : file;
}

/** A result file that must be there. @throws ToolError `not-found`, `integrity` */
export async function readStage(path: string, title: string): Promise<StageFile> {
  const file = await readStageFile(path);
  if (file === 'missing')
    throw new ToolError('not-found', `there is no result of "${title}" yet: ${path}`, { hint: 'run slmbench benchmark' });
  if ('damage' in file) throw new ToolError('integrity', `${path} cannot be read: ${file.damage}`);
  return file;
}
