// What the installed llama.cpp is and can do on this machine. Asked in a process of its own: loading a GPU build may crash.
import { startEngineProcess } from './engine-process.ts';
import { type LlamaAccelerator, locateLibrary } from './library-location.ts';

export interface LlamaSystemInfo {
  /** llama.cpp's own version. */
  readonly version: string;
  /** npm package and version, or the folder of a custom build. */
  readonly origin: string;
  readonly accelerator: LlamaAccelerator;
  /** True where a device beside the CPU is there. */
  readonly gpuOffload: boolean;
  /** llama.cpp's own line on the features its kernels use. */
  readonly systemInfo: string;
  /** The features that are on, e.g. `AVX512_VNNI`. */
  readonly cpuFeatures: readonly string[];
  /** Devices other than the CPU that can hold layers. */
  readonly devices: readonly string[];
}

/** @throws ToolError `unavailable` or `unsupported` when there is no usable build, `backend` when loading it crashed */
export async function llamaSystemInfo(): Promise<LlamaSystemInfo> {
  const location = locateLibrary();
  const engine = startEngineProcess();
  try {
    const info = await engine.call({ kind: 'info', location }, { timeoutMs: 30_000 });
    const systemInfo = info.systemInfo.trim();
    return {
      version: info.version,
      origin: location.origin,
      accelerator: location.accelerator,
      gpuOffload: info.devices.length > 0,
      systemInfo,
      cpuFeatures: [...systemInfo.matchAll(/(\w+) = 1\b/gu)].map((match) => match[1]!),
      devices: info.devices,
    };
  } finally {
    await engine.close();
  }
}
