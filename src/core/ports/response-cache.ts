// Cache of model answers, keyed by everything that can change an answer.
export interface ResponseCache {
  readonly get: (key: string) => Promise<unknown | undefined>;
  readonly set: (key: string, value: unknown, explanation: unknown) => Promise<void>;
  /** The inputs that made a key, for `slmbench cache explain`. */
  readonly explain: (key: string) => Promise<unknown | undefined>;
  readonly close: () => Promise<void>;
}
