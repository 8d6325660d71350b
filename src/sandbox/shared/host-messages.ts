// What passes between the runner and the process that executes generated code.

/** First message to the host: where its interpreter is. */
export interface HostStart {
  readonly kind: 'start';
  /** file: URL of the interpreter's module. */
  readonly moduleUrl: string;
}

export interface HostRun {
  readonly kind: 'run';
  readonly id: number;
  readonly program: string;
  readonly tests: string | null;
  readonly entryPoint: string | null;
  readonly memoryBytes: number;
  /** For interpreters that can stop themselves; the runner kills the process a little later. */
  readonly timeoutMs: number;
}

export type HostRequest = HostStart | HostRun;

export interface HostReady {
  readonly kind: 'ready';
}

export interface HostVerdict {
  readonly kind: 'verdict';
  readonly id: number;
  readonly outcome: 'passed' | 'failed' | 'timeout' | 'memory' | 'crashed';
  readonly detail: string;
  /** True where the process should not serve another program. */
  readonly worn: boolean;
}

export type HostReply = HostReady | HostVerdict;

const detailLimit = 4000;

/** The end of a long text: error messages name the failure last. */
export function cutDetail(text: string): string {
  const clean = text.trim();
  return clean.length <= detailLimit ? clean : `...${clean.slice(-detailLimit)}`;
}
