// One error type with a closed set of codes, so that every failure says what, where, what was expected and what to do.

export type ErrorCode =
  | 'usage' // wrong flag or argument
  | 'config' // recipe, task or config file is wrong
  | 'not-found' // unknown model, dataset, task, file
  | 'unavailable' // no source reachable, package or tool not installed, offline
  | 'access' // 401/403, gated repository
  | 'integrity' // digest mismatch, truncated or corrupt file, tampered record
  | 'data' // dataset content is wrong
  | 'memory' // would not fit, or ran out of memory
  | 'context-overflow' // prompt longer than the context
  | 'unsupported' // the backend cannot do what the task needs
  | 'template' // chat or prompt template failed
  | 'backend' // the engine or server failed
  | 'transport' // connection failed; usually retryable
  | 'timeout'
  | 'locked' // another process holds the run
  | 'storage' // cannot write: read-only, disk full
  | 'threshold' // a gate was missed
  | 'interrupted'
  | 'internal';

/** A place in a user's file; line and column count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface ToolErrorOptions {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly location?: SourceLocation | undefined;
  /** True where trying the same call again may succeed. @default false */
  readonly isRetryable?: boolean | undefined;
}

const marker: unique symbol = Symbol.for('slmbench.ToolError');

/**
 * The one error class of slmbench.
 * @example throw new ToolError('not-found', 'unknown model "smolm2"', { hint: 'did you mean "smollm2-135m"?' })
 */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly location: SourceLocation | undefined;
  readonly isRetryable: boolean;
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.location = options.location;
    this.isRetryable = options.isRetryable ?? false;
  }

  /** True also for an instance made by another copy of this package. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

/** `file:line:column` as far as known. */
export function formatLocation(location: SourceLocation): string {
  return [location.file, location.line, location.column].filter((part) => part !== undefined).join(':');
}

/** The text of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

const exitCodes: Partial<Record<ErrorCode, number>> = {
  usage: 2,
  config: 2,
  'not-found': 2,
  data: 2,
  template: 2,
  'context-overflow': 2,
  unsupported: 2,
  threshold: 3,
  interrupted: 130,
};

/** Process exit code of an error: 1 run failed, 2 usage, config or bad input (data, templates, models that cannot do it), 3 threshold missed, 130 interrupted. */
export function exitCodeOf(thrown: unknown): number {
  return ToolError.isInstance(thrown) ? (exitCodes[thrown.code] ?? 1) : 1;
}
