// Starts the worker for one training: alone over stdin, or as several processes through accelerate launch.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import type { TrainingEnvironment } from '../python/setup-training.ts';
import { workerFile } from '../python/worker-files.ts';
import { type CallOptions, startWorker, type WorkerOptions } from '../python/worker-process.ts';
import type { TrainerSettings } from './training-request.ts';

/** Flags of accelerate launch from settings by its own names: `{ num_processes: 2, multi_gpu: true }`. */
export function launchFlags(launch: NonNullable<TrainerSettings['launch']>): string[] {
  const settings: Record<string, string | number | boolean> = { num_machines: 1, mixed_precision: 'no', dynamo_backend: 'no', ...launch };
  const processes = settings['num_processes'];
  if (typeof processes !== 'number' || !Number.isInteger(processes) || processes < 1)
    throw new ToolError('config', 'training.launch needs num_processes, a whole number', { hint: 'launch: { num_processes: 2 }' });
  // Its --cpu mode starts one process however many are asked for; this mode starts them with or without GPUs.
  if (processes > 1) {
    settings['multi_gpu'] ??= true;
    delete settings['cpu'];
  }
  const forbidden = Object.keys(settings).find((name) => !/^[a-z][a-z0-9_]*$/u.test(name));
  if (forbidden !== undefined) throw new ToolError('config', `training.launch: "${forbidden}" is no setting of accelerate launch`);
  return Object.entries(settings).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : value === false ? [] : [`--${name}`, String(value)],
  );
}

/**
 * Runs one request in a worker of its own and ends it.
 * @throws ToolError as the worker says
 */
export async function callOnce(
  environment: TrainingEnvironment,
  method: string,
  params: unknown,
  options: CallOptions & { readonly threads?: number | undefined; readonly launch?: TrainerSettings['launch'] },
): Promise<unknown> {
  const { threads, launch, ...call } = options;
  if (launch === undefined)
    return inWorker({ program: environment.python, args: [workerFile('worker.py')], threads }, method, params, call);
  const folder = await mkdtemp(join(tmpdir(), 'slmbench-job-'));
  try {
    const job = join(folder, 'job.json');
    await writeFile(job, JSON.stringify({ id: 1, method, params }));
    const args = ['-m', 'accelerate.commands.launch', ...launchFlags(launch), workerFile('worker.py'), '--job', job];
    // The processes read the job file; stdin only carries a cancellation.
    const hidden = launch['cpu'] === true ? { CUDA_VISIBLE_DEVICES: '' } : {};
    return await inWorker({ program: environment.python, args, threads, environment: hidden }, method, { job }, call);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inWorker(options: WorkerOptions, method: string, params: unknown, call: CallOptions): Promise<unknown> {
  const worker = startWorker(options);
  try {
    return await worker.call(method, params, call);
  } finally {
    await worker.close();
  }
}
