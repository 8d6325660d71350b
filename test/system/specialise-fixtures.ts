// A trainer without torch for tests of everything around it: writes a real PEFT adapter of the toy model, step by step, with checkpoints.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpecialiseOptions } from '../../src/app/specialise/session.ts';
import { digestOf, sha256Hex } from '../../src/core/digest.ts';
import { ToolError } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/core/events.ts';
import type { Trainer, TrainingExample } from '../../src/core/ports/trainer.ts';
import { writeSafetensors } from '../../src/formats/safetensors.ts';

/** Width of the toy model's state. */
const width = 576;
const totalSteps = 4;

export interface FakeTrainerLog {
  trainings: number;
  startedAtStep: number[];
  /** Ends the training after this step, as a kill would. */
  failAfterStep?: number | undefined;
  /** Time that each step takes, so that a test can kill it half-way. */
  pauseMs?: number | undefined;
}

interface Request {
  readonly examples: readonly TrainingExample[];
  readonly validation: readonly TrainingExample[];
  readonly adapterFolder: string;
  readonly checkpointFolder: string;
  readonly seed: number;
}

/** The adapter's values follow from examples and seed only, as those of a deterministic training do. */
function adapterBytes(request: Request): Uint8Array {
  const seed = digestOf([request.examples, request.seed]);
  const down = new Float32Array(width);
  const up = new Float32Array(width);
  for (let index = 0; index < 32; index++) {
    down[index * 8] = Number.parseInt(seed.slice(index * 2, index * 2 + 2), 16) / 255;
    up[index * 8 + 1] = Number.parseInt(seed.slice(63 - index * 2 - 1, 63 - index * 2 + 1) || '7', 16) / 255;
  }
  const key = 'base_model.model.model.layers.0.self_attn.o_proj';
  return writeSafetensors([
    { name: `${key}.lora_A.weight`, type: 'F32', shape: [1, width], values: down },
    { name: `${key}.lora_B.weight`, type: 'F32', shape: [width, 1], values: up },
  ]);
}

export function fakeTrainer(log: FakeTrainerLog): Trainer {
  return {
    kind: 'fake',
    train: async (raw, { onProgress }) => {
      const request = raw as Request;
      const checkpoint = join(request.checkpointFolder, 'step.txt');
      const done = Number(await readFile(checkpoint, 'utf8').catch(() => '0'));
      log.trainings++;
      log.startedAtStep.push(done);
      for (let step = done + 1; step <= totalSteps; step++) {
        if (log.pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, log.pauseMs));
        onProgress({ kind: 'step', step, totalSteps, loss: 2 / step });
        await mkdir(request.checkpointFolder, { recursive: true });
        await writeFile(checkpoint, String(step));
        if (log.failAfterStep === step) throw new ToolError('backend', 'the trainer was killed');
      }
      const bytes = adapterBytes(request);
      await mkdir(request.adapterFolder, { recursive: true });
      await writeFile(join(request.adapterFolder, 'adapter_config.json'), JSON.stringify({ peft_type: 'LORA', r: 1, lora_alpha: 1 }));
      await writeFile(join(request.adapterFolder, 'adapter_model.safetensors'), bytes);
      return {
        adapterPath: request.adapterFolder,
        adapterDigest: sha256Hex(bytes),
        adapterSizeBytes: bytes.length,
        globalSteps: totalSteps,
        trainingLoss: 0.5,
        lossCurve: [
          ...Array.from({ length: totalSteps }, (_, index) => ({ step: index + 1, loss: 2 / (index + 1), kind: 'train' as const })),
          ...(request.validation.length > 0 ? [{ step: totalSteps, loss: 0.6, kind: 'validation' as const }] : []),
        ],
        bestStep: totalSteps,
        supervisedTokens: request.examples.length,
        elapsedSeconds: 0.1,
        peakRssBytes: 1,
        peakGpuAllocatedBytes: null,
        peakGpuReservedBytes: null,
        packages: { fake: '1.0' },
        diagnostics: { train_loss: 0.5 },
      };
    },
  };
}

export interface Project {
  readonly folder: string;
  readonly recipe: string;
  readonly log: FakeTrainerLog;
  readonly events: RunEvent[];
  readonly options: (more?: Partial<SpecialiseOptions>) => SpecialiseOptions;
  /** What the stages said since the last call. */
  readonly stageNotes: () => string[];
}

const words = { lights: ['lamp', 'light', 'bulb'], music: ['song', 'album', 'radio'] };

/** A recipe on the toy model with 40 rows of two classes, in a folder of its own. */
export async function toyProject(lines: readonly string[] = []): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'slmbench special ü '));
  const rows = Object.entries(words).flatMap(([label, nouns]) =>
    Array.from({ length: 20 }, (_, index) => ({ text: `request ${index} about the ${nouns[index % nouns.length]}`, label })),
  );
  await writeFile(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const recipe = join(folder, 'recipe.yml');
  const text = [
    'schema: slmbench/specialise/1',
    `output: ${JSON.stringify(join(folder, 'data'))}`,
    'dataset:',
    '  name: toys',
    '  source: ./rows.jsonl',
    '  split: { by: label, seed: 1, sizes: { train: rest, validation: 6, test: 10 } }',
    '  licence: { name: MIT, redistributable: true }',
    '  leaks: { nearThreshold: 1 }',
    'model: { name: toy, title: Toy, base: toy }',
    'task:',
    '  name: toys',
    '  title: Toy intents',
    '  type: classification',
    '  kind: choose',
    "  prompt: 'Request: {{ text }}'",
    '  labels: [lights, music]',
    'training: { maxSteps: 4, learningRate: 0.001 }',
    'test: { threads: 1, context: 256 }',
    'baselines: { fewShot: 1 }',
    ...lines,
    '',
  ].join('\n');
  await writeFile(recipe, text);
  const log: FakeTrainerLog = { trainings: 0, startedAtStep: [] };
  const events: RunEvent[] = [];
  return {
    folder,
    recipe,
    log,
    events,
    options: (more = {}) => ({
      recipeFile: recipe,
      offline: true,
      listener: (event) => events.push(event),
      openTrainer: async () => fakeTrainer(log),
      ...more,
    }),
    stageNotes: () =>
      events.splice(0).flatMap((event) => (event.kind === 'note' && /: (reused|runs):/.test(event.message) ? [event.message] : [])),
  };
}
