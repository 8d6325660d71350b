// What every file reader yields: one row and where it stood, so that an error can name the line.
export type RawRow = Readonly<Record<string, unknown>>;

export interface SourceRow {
  readonly fields: RawRow;
  /** Line in the file, from 1; undefined for binary formats. */
  readonly line?: number | undefined;
}

/** Facts that a file tells besides its rows. */
export interface FileNotes {
  /** Names of integer class labels by column. */
  classNames: Record<string, readonly string[]>;
  /** One-line warnings. */
  notes: string[];
}

export interface ReadOptions {
  readonly notes: FileNotes;
  readonly signal?: AbortSignal | undefined;
  /** Drop lines that cannot be read instead of failing; each is named in the notes. @default false */
  readonly skipBadRows?: boolean | undefined;
  /** Member of a JSON object that holds the rows: a file with several splits. */
  readonly member?: string | undefined;
  /** Text encoding of text formats. @default 'utf-8' (a byte order mark wins) */
  readonly encoding?: string | undefined;
}

export const noFileNotes = (): FileNotes => ({ classNames: {}, notes: [] });
