// What this machine has and can do: the first thing to look at when something does not run.
import { statfs } from 'node:fs/promises';
import { messageOf } from '../core/errors.ts';
import { availableMemoryBytes, readHostFacts, usablePhysicalCores } from '../profiler/host-facts.ts';
import { describeCache } from './caches.ts';
import { probeSources } from './probe-sources.ts';
import { readPackageFacts } from './session-origin.ts';
import { openWorkspace } from './workspace.ts';

export interface DoctorFinding {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'note';
  readonly value: string;
  readonly hint?: string | undefined;
}

async function engine(): Promise<DoctorFinding[]> {
  try {
    const { llamaSystemInfo } = await import('../backends/llama/system-info.ts');
    const facts = await llamaSystemInfo();
    return [
      {
        name: 'engine',
        state: 'ok',
        value: `llama.cpp ${facts.version} (${facts.origin}), ${facts.accelerator}${facts.devices.length > 0 ? `, ${facts.devices.join(', ')}` : ''}`,
      },
      { name: 'engine features', state: 'ok', value: facts.cpuFeatures.join(' ') },
    ];
  } catch (thrown) {
    return [
      { name: 'engine', state: 'missing', value: messageOf(thrown), hint: 'servers (ollama:, openai:) and scripted models still work' },
    ];
  }
}

/** The managed Python environment of `train`; everything else works without it. */
async function training(cacheDirectory: string): Promise<DoctorFinding> {
  const { describeTraining } = await import('../python/setup-training.ts');
  const state = await describeTraining({ cacheDirectory });
  switch (state.kind) {
    case 'ready': {
      const { variant, pythonVersion, packages, folder } = state.environment;
      const versions = ['torch', 'transformers', 'peft', 'trl'].flatMap((name) =>
        packages[name] === undefined ? [] : `${name} ${packages[name]}`,
      );
      return { name: 'training', state: 'ok', value: `${variant}, Python ${pythonVersion}, ${versions.join(', ')} (${folder})` };
    }
    case 'absent': {
      const size = (state.diskBytes / 1e9).toFixed(1);
      const value = `not set up (${state.variant}, Python ${state.pythonVersion}, about ${size} GB)`;
      return { name: 'training', state: 'note', value, hint: 'slmbench setup training makes it' };
    }
    case 'no-python':
      return { name: 'training', state: 'note', value: state.message, hint: state.hint };
  }
}

async function freeDisk(folder: string): Promise<string> {
  const facts = await statfs(folder).catch(() => null);
  return facts === null ? 'unknown' : `${((facts.bavail * facts.bsize) / 1024 ** 3).toFixed(1)} GiB free`;
}

export async function doctor(options: { readonly offline: boolean }): Promise<readonly DoctorFinding[]> {
  const workspace = await openWorkspace({ offline: options.offline });
  const [host, cache, engineFindings] = await Promise.all([readHostFacts(), describeCache(), engine()]);
  const cached = cache.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const findings: DoctorFinding[] = [
    { name: 'slmbench', state: 'ok', value: readPackageFacts().version },
    { name: 'node', state: 'ok', value: `${host.node} (${process.execPath})` },
    { name: 'system', state: 'ok', value: `${host.os}, kernel ${host.kernel}, ${host.architecture}` },
    {
      name: 'cpu',
      state: 'ok',
      value: `${host.cpuModel ?? 'unknown'}; ${host.physicalCores ?? '?'} physical, ${host.logicalCores ?? '?'} logical cores; the engine takes ${usablePhysicalCores()}`,
    },
    { name: 'cpu features', state: 'ok', value: host.cpuFeatures.join(' ') || 'unknown' },
    {
      name: 'memory',
      state: 'ok',
      value: `${((host.ramBytes ?? 0) / 1024 ** 3).toFixed(1)} GiB, ${(availableMemoryBytes() / 1024 ** 3).toFixed(1)} GiB free`,
    },
    {
      name: 'load',
      state: (host.loadAverage ?? 0) > usablePhysicalCores() * 0.7 ? 'note' : 'ok',
      value: `${host.loadAverage?.toFixed(2) ?? 'unknown'} (1 minute)`,
      hint: 'timings on a busy machine are not to be trusted',
    },
    {
      name: 'gpu',
      state: host.gpus.length > 0 ? 'ok' : 'note',
      value: host.gpus.map((gpu) => `${gpu.name} driver ${gpu.driver ?? '?'}`).join(', ') || 'none found by nvidia-smi',
    },
    ...engineFindings,
    {
      name: 'python',
      state: host.python === null ? 'note' : 'ok',
      value: host.python ?? 'not found',
      hint: host.python === null ? 'needed for training only' : undefined,
    },
    await training(workspace.cacheDirectory),
    {
      name: 'cache',
      state: 'ok',
      value: `${cache.folder}: ${cache.files.length} files, ${(cached / 1024 ** 2).toFixed(0)} MiB; ${cache.responses.entries} answers; ${await freeDisk(workspace.runsFolder.replace(/[^/\\]+$/, ''))}`,
    },
    { name: 'project file', state: 'ok', value: workspace.projectFile ?? 'none' },
  ];
  return [...findings, ...(await probeSources(workspace))];
}
