// Facts of the machine and its software for the record: read once per run, each unknown one null.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, type as osType, version as osVersion, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { Environment } from '../core/record.ts';
import { readAmdFacts } from './amd-gpu.ts';
import { readGpuFacts } from './nvidia-smi.ts';

const run = promisify(execFile);

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Physical cores from /proc/cpuinfo: distinct (package, core) pairs. */
export function parseCpuInfo(text: string): {
  readonly physicalCores: number | null;
  readonly model: string | null;
  readonly flags: readonly string[];
} {
  const pairs = new Set<string>();
  for (const block of text.split(/\n\s*\n/)) {
    const physical = /^physical id\s*:\s*(\d+)/m.exec(block)?.[1];
    const core = /^core id\s*:\s*(\d+)/m.exec(block)?.[1];
    if (physical !== undefined && core !== undefined) pairs.add(`${physical}/${core}`);
  }
  const model = /^model name\s*:\s*(.+)$/m.exec(text)?.[1] ?? null;
  const flags = /^(?:flags|Features)\s*:\s*(.+)$/m.exec(text)?.[1]?.split(/\s+/) ?? [];
  return { physicalCores: pairs.size === 0 ? null : pairs.size, model, flags };
}

const inferenceFeatures = [
  'sse4_2',
  'avx',
  'avx2',
  'fma',
  'f16c',
  'avx512f',
  'avx512_vnni',
  'avx512_bf16',
  'avx_vnni',
  'amx_int8',
  'amx_bf16',
  'asimd',
  'asimddp',
  'i8mm',
  'sve',
  'bf16',
];

/** CPU share that a container may use (cgroup v2 `cpu.max`), in cores; null without a limit. */
export function parseCpuMax(text: string): number | null {
  const [quota, period] = text.trim().split(/\s+/);
  if (quota === undefined || quota === 'max' || quota === '') return null;
  const cores = Number(quota) / Number(period ?? 100_000);
  return Number.isFinite(cores) && cores > 0 ? cores : null;
}

function operatingSystem(): string {
  const pretty = /^PRETTY_NAME="?([^"\n]+)"?/m.exec(readText('/etc/os-release'))?.[1];
  return pretty ?? `${osType()} ${osVersion()}`;
}

async function pythonVersion(): Promise<string | null> {
  const answer = await run('python3', ['--version'], { timeout: 3000 }).catch(() => null);
  return answer === null ? null : answer.stdout.trim().replace(/^Python /, '');
}

/** Cores to run a model on: physical ones, at most what the container may use. */
export function usablePhysicalCores(): number {
  const physical = parseCpuInfo(readText('/proc/cpuinfo')).physicalCores ?? availableParallelism();
  const quota = parseCpuMax(readText('/sys/fs/cgroup/cpu.max')) ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(Math.min(physical, availableParallelism(), quota)));
}

/** Memory that a container may use, or the machine's, bytes. */
export function usableMemoryBytes(): number {
  const limit = readText('/sys/fs/cgroup/memory.max').trim();
  const bytes = limit === '' || limit === 'max' ? Number.POSITIVE_INFINITY : Number(limit);
  return Math.min(totalmem(), Number.isFinite(bytes) ? bytes : Number.POSITIVE_INFINITY);
}

/** Memory that is free for a new model now, bytes. */
export function availableMemoryBytes(): number {
  const match = /^MemAvailable:\s+(\d+) kB/m.exec(readText('/proc/meminfo'));
  return Math.min(usableMemoryBytes(), match === null ? usableMemoryBytes() : Number(match[1]) * 1024);
}

export async function readHostFacts(packages: Readonly<Record<string, string>> = {}): Promise<Environment> {
  const cpuText = readText('/proc/cpuinfo');
  const info = parseCpuInfo(cpuText);
  const nvidia = readGpuFacts();
  const gpus = [...nvidia, ...readAmdFacts().map((gpu) => ({ ...gpu, index: gpu.index + nvidia.length }))];
  return {
    os: operatingSystem(),
    kernel: release(),
    architecture: arch(),
    node: process.versions.node,
    python: await pythonVersion(),
    cpuModel: info.model ?? cpus()[0]?.model ?? null,
    physicalCores: info.physicalCores,
    logicalCores: availableParallelism(),
    cpuFeatures: inferenceFeatures.filter((feature) => info.flags.includes(feature)),
    ramBytes: usableMemoryBytes(),
    gpus: gpus.map((gpu) => ({
      index: gpu.index,
      name: gpu.name,
      totalMemoryBytes: gpu.totalMemoryBytes,
      driver: gpu.driver,
      peakAllocatedBytes: null,
      peakReservedBytes: null,
    })),
    cudaVisibleDevices: process.env['CUDA_VISIBLE_DEVICES'] ?? null,
    cudaRuntime: null,
    nvidiaDriver: nvidia[0]?.driver ?? null,
    virtualised: cpuText === '' ? null : info.flags.includes('hypervisor'),
    container: existsSync('/.dockerenv') || /docker|kubepods|containerd/.test(readText('/proc/1/cgroup')),
    loadAverage: process.platform === 'win32' ? null : loadavg()[0]!,
    packages: { ...packages },
  };
}
