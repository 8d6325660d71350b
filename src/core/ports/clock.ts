// Time as a port, so that pure rooms run with a fake clock. Durations come from the monotonic clock only.
export interface Clock {
  /** Monotonic milliseconds with sub-millisecond resolution. */
  readonly nowMs: () => number;
  /** UTC wall clock, RFC 3339 with milliseconds. */
  readonly utc: () => string;
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}
