// What a caller may say when loading a dataset.
import type { FetchProgress } from '../sources/source-context.ts';
import type { FileFormat } from './read-rows.ts';

export interface LoadOptions {
  readonly offline: boolean;
  /** Root of the cache, see `cacheRoot` in the sources room. */
  readonly cacheDirectory: string;
  /** Adds columns under a role's name: `{ question: 'Frage' }`. Row ids rest on the source's own columns. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Format of a file whose name does not show it. */
  readonly format?: FileFormat | undefined;
  /** Text encoding of a text file. @default 'utf-8' */
  readonly encoding?: string | undefined;
  /** Drop rows that cannot be read, each named in the split's notes, instead of failing. @default false */
  readonly skipBadRows?: boolean | undefined;
  /** Hub Parquet files larger than this are read by byte ranges and not kept on disk. @default 512 MB */
  readonly keepBytes?: number | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** `data` when the reference was not written by the user: addresses of this machine and network are then refused. @default 'user' */
  readonly urlsFrom?: 'user' | 'data' | undefined;
}
