// The parts of Pyodide that the host touches, as types: its package describes the public interface only.

export interface PyProxy {
  readonly destroy: () => void;
}
export type PyCallable<Result> = PyProxy & ((...values: readonly unknown[]) => Result);
export type PyDict = PyProxy & { readonly get: (key: string) => unknown; readonly set: (key: string, value: unknown) => void };

export type FileSystemCall = (...values: unknown[]) => unknown;

export interface PyodideParts {
  readonly runPython: (code: string, options?: { readonly globals?: PyDict }) => unknown;
  readonly setStdout: (options: { readonly write: (bytes: Uint8Array) => number }) => void;
  readonly setStderr: (options: { readonly write: (bytes: Uint8Array) => number }) => void;
  readonly setStdin: (options: { readonly stdin: () => null }) => void;
  readonly _module: {
    /** The view is replaced when memory grows, so it is read anew each time. */
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    readonly stackSave: () => number;
    readonly stackRestore: (pointer: number) => void;
    readonly FS: Record<string, FileSystemCall> & {
      readonly ErrnoError: new (code: number) => Error;
      readonly streams: (object | null | undefined)[];
    };
    readonly SOCKFS?: { createSocket: FileSystemCall } | undefined;
  };
}
