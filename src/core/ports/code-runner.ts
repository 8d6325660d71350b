// Runs generated code in a sandbox (WebAssembly in a worker): no network, no file system, limited time and memory.
export type CodeLanguage = 'python' | 'javascript';

export interface CodeRunRequest {
  readonly language: CodeLanguage;
  /** The solution, or solution and tests in one where `tests` is not given. */
  readonly program: string;
  /**
   * Judging code, compiled apart and run in the same namespace once `program` has ended normally,
   * so that a program can neither swallow nor skip it. `passed` means that this code ran to its end.
   */
  readonly tests?: string | undefined;
  /** Name of the judged function: a result that claims to equal everything fails. */
  readonly entryPoint?: string | undefined;
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
