// What every source needs to know: where the cache is, whether connections are allowed, who listens.

/** Bytes so far of one file. */
export interface FetchProgress {
  /** Base name of the file. */
  readonly name: string;
  readonly doneBytes: number;
  readonly totalBytes: number | null;
  readonly bytesPerSecond: number | null;
  /** The reference that serves, secrets redacted. */
  readonly source: string;
}

export interface SourceContext {
  /** Root of slmbench's own cache, see `cacheRoot`. */
  readonly cacheDirectory: string;
  /** True: no connection at all, also none by child processes. */
  readonly offline: boolean;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Environment variables to read. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Who named the URL: what data names may not reach loopback or private addresses. @default 'user' */
  readonly urlsFrom?: 'user' | 'data' | undefined;
  /** A host that has not answered after this time is given up. @default 3000 */
  readonly answerTimeoutMs?: number | undefined;
}

/** A file that lies on this machine, its digest known. */
export interface FetchedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The reference that served, secrets redacted. */
  readonly servedBy: string;
  /** True when no byte was transferred now. */
  readonly fromCache: boolean;
  /** Commit of a hub repository. */
  readonly revision?: string | undefined;
}

export function environmentOf(context: Pick<SourceContext, 'environment'>): Readonly<Record<string, string | undefined>> {
  return context.environment ?? process.env;
}
