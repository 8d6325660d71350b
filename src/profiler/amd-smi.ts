// AMD GPUs through `amd-smi` or the older `rocm-smi`, for machines whose kernel files are out of reach (containers, WSL). Both are slow
// Python programs, so they are asked seldom: each takes at most about one percent of the time.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { GpuProbe, GpuReading } from './nvidia-smi.ts';
import { joinGpuReadings } from './nvidia-smi.ts';

const megabyte = 1024 * 1024;

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** `{value, unit}`, a bare number, or a number as text; "N/A" and the like are null, 0 stays 0. */
function quantity(value: unknown): number | null {
  const bare = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  if (typeof bare === 'number') return Number.isFinite(bare) ? bare : null;
  if (typeof bare !== 'string' || !/^\s*-?\d+(\.\d+)?\s*(%|W|MB)?\s*$/.test(bare)) return null;
  return Number.parseFloat(bare);
}

function firstKnown(values: readonly unknown[]): number | null {
  return values.map(quantity).find((value) => value !== null) ?? null;
}

/** The JSON in what a tool printed: warnings may stand before it. */
function jsonIn(text: string): unknown {
  const start = text.search(/[[{]/);
  if (start < 0) return null;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return null;
  }
}

/** `amd-smi metric --json`: a list of GPUs, in newer versions inside `gpu_data`. null where it is none. */
export function parseAmdSmi(text: string): GpuReading | null {
  const parsed = jsonIn(text);
  const list = Array.isArray(parsed) ? parsed : asObject(parsed)['gpu_data'];
  if (!Array.isArray(list) || list.length === 0) return null;
  return joinGpuReadings(
    list.map((entry) => {
      const { mem_usage: memory, usage, power } = asObject(entry);
      const used = quantity(asObject(memory)['used_vram']);
      return {
        memoryBytes: used === null ? null : used * megabyte,
        utilisationPercent: quantity(asObject(usage)['gfx_activity']),
        powerWatts: firstKnown(['socket_power', 'current_socket_power', 'average_socket_power'].map((name) => asObject(power)[name])),
      };
    }),
  );
}

/** `rocm-smi --showuse --showmeminfo vram --showpower --json`: one member per card. null where it has none. */
export function parseRocmSmi(text: string): GpuReading | null {
  const cards = Object.entries(asObject(jsonIn(text))).filter(([name]) => /^card\d+$/.test(name));
  if (cards.length === 0) return null;
  return joinGpuReadings(
    cards.map(([, value]) => {
      const card = asObject(value);
      return {
        memoryBytes: quantity(card['VRAM Total Used Memory (B)']),
        utilisationPercent: quantity(card['GPU use (%)']),
        powerWatts: firstKnown([card['Average Graphics Package Power (W)'], card['Current Socket Graphics Package Power (W)']]),
      };
    }),
  );
}

export interface AmdTool {
  readonly command: string;
  readonly args: readonly string[];
  readonly parse: (text: string) => GpuReading | null;
}

const tools: readonly AmdTool[] = [
  { command: 'amd-smi', args: ['metric', '--mem-usage', '--usage', '--power', '--json'], parse: parseAmdSmi },
  { command: 'rocm-smi', args: ['--showuse', '--showmeminfo', 'vram', '--showpower', '--json'], parse: parseRocmSmi },
];

const fastestMs = 2000;
const shareOfTime = 0.01;
const timeoutMs = 10_000;

function ask(tool: AmdTool): Promise<GpuReading | null> {
  return new Promise((resolve) => {
    execFile(tool.command, [...tool.args], { timeout: timeoutMs }, (error, stdout) => resolve(error === null ? tool.parse(stdout) : null));
  });
}

/** Device nodes of ROCm and of Windows' graphics inside WSL: without them neither tool is even tried. */
const deviceNodes = ['/dev/kfd', '/dev/dxg'];

/** null where neither tool is there or none sees a GPU. */
export async function startAmdSmiProbe(
  candidates: readonly AmdTool[] = deviceNodes.some((path) => existsSync(path)) ? tools : [],
): Promise<GpuProbe | null> {
  for (const tool of candidates) {
    const first = await ask(tool);
    if (first !== null) return polling(tool, first);
  }
  return null;
}

function polling(tool: AmdTool, first: GpuReading): GpuProbe {
  let reading = first;
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const poll = async (): Promise<void> => {
    const startMs = performance.now();
    reading = (await ask(tool)) ?? reading;
    if (!isStopped) plan(Math.max(fastestMs, (performance.now() - startMs) / shareOfTime));
  };
  const plan = (waitMs: number): void => {
    timer = setTimeout(() => void poll(), waitMs);
    timer.unref();
  };
  plan(fastestMs);
  return {
    source: `${tool.command} power`,
    latest: () => reading,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
