// Loads onnxruntime-node where the user has installed it: an optional peer, since it is large and few runs need it.
import { messageOf, ToolError } from '../core/errors.ts';

/** The part of the runtime's interface that is used here. */
export interface OnnxTensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}
export interface OnnxSession {
  readonly run: (inputs: Readonly<Record<string, OnnxTensor>>) => Promise<Readonly<Record<string, OnnxTensor>>>;
  readonly release?: () => Promise<void>;
}
export interface OnnxRuntime {
  readonly InferenceSession: {
    readonly create: (
      path: string,
      options: { readonly intraOpNumThreads: number; readonly logSeverityLevel: number },
    ) => Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

// A variable, so that a build without the package compiles.
const packageName: string = 'onnxruntime-node';

/** @throws ToolError `unavailable` that says how to install the runtime */
export async function loadOnnxRuntime(importModule: (name: string) => Promise<unknown> = (name) => import(name)): Promise<OnnxRuntime> {
  try {
    const module = (await importModule(packageName)) as { readonly default?: OnnxRuntime } & OnnxRuntime;
    return module.default ?? module;
  } catch (cause) {
    const isMissing = /cannot find|not found|could not resolve/iu.test(messageOf(cause));
    throw new ToolError(
      'unavailable',
      `sentence similarity needs the package ${packageName}, which ${isMissing ? 'is not installed' : `does not load: ${messageOf(cause)}`}`,
      {
        hint: `npm install ${packageName}   (on Linux, ONNXRUNTIME_NODE_INSTALL=skip before it leaves out the GPU download)`,
        cause,
      },
    );
  }
}
