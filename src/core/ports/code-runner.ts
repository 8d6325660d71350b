// Runs generated code in a sandbox (WebAssembly in a worker): no network, no file system, limited time and memory.
export type CodeLanguage = 'python' | 'javascript';

export interface CodeRunRequest {
  readonly language: CodeLanguage;
  /** The whole program: solution and tests. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

export interface CodeRunResult {
  readonly outcome: 'passed' | 'failed' | 'timeout' | 'memory' | 'crashed';
  /** Error text or standard output, cut to a few kilobytes. */
  readonly detail: string;
  readonly durationMs: number;
}

export interface CodeRunner {
  readonly languages: readonly CodeLanguage[];
  readonly run: (request: CodeRunRequest) => Promise<CodeRunResult>;
  readonly close: () => Promise<void>;
}
