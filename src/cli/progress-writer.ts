// Progress on stderr from the event stream: one redrawn region on a terminal, plain lines elsewhere, NDJSON for machines.
import type { EventListener, RunEvent } from '../core/events.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';

export type ProgressMode = 'tty' | 'plain' | 'ndjson' | 'quiet';

const redrawEveryMs = 100;
const plainEveryMs = 10_000;

function bytes(count: number): string {
  return count >= 1e9
    ? `${(count / 1e9).toFixed(2)} GB`
    : count >= 1e6
      ? `${(count / 1e6).toFixed(1)} MB`
      : `${(count / 1e3).toFixed(0)} kB`;
}

/** `1:05` or `2:03:04`. */
export function clockText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '-:--';
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function bar(done: number, total: number, width: number): string {
  const filled = total > 0 ? Math.min(width, Math.floor((done / total) * width)) : 0;
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

class ProgressState {
  total = 0;
  done = 0;
  model = '';
  task = '';
  taskDone = 0;
  taskTotal = 0;
  correct = 0;
  judged = 0;
  errors = 0;
  startMs = performance.now();
  startDone = 0;
  downloading = '';
  /** Files already announced as done. */
  readonly downloaded = new Set<string>();

  take(event: RunEvent): string | null {
    switch (event.kind) {
      case 'run-started':
        Object.assign(this, { total: event.total, done: event.done, startDone: event.done, startMs: performance.now() });
        return event.resumed
          ? `resuming ${event.runId}: ${event.done} of ${event.total} samples are done`
          : `run ${event.runId}: ${event.total} ${event.total === 1 ? 'sample' : 'samples'}`;
      case 'model-loading':
        this.model = event.model;
        return `loading ${event.model}`;
      case 'model-loaded':
        return `loaded ${event.model}${event.loadMs === null ? '' : ` in ${(event.loadMs / 1000).toFixed(2)} s`}`;
      case 'model-failed':
        return `FAILED ${event.model}: ${event.message}`;
      case 'task-started':
        Object.assign(this, { model: event.model, task: event.task, taskTotal: event.total, taskDone: event.done, correct: 0, judged: 0 });
        return null;
      case 'sample-finished':
        this.takeSample(event);
        return null;
      case 'task-finished':
        // Nothing is left to draw; a training may follow in the same command.
        if (this.done >= this.total) this.total = 0;
        return `${event.model} · ${event.task}: ${event.primary === null || event.primary.value === null ? 'done' : `${event.primary.name} ${event.primary.value.toFixed(4)} (n ${event.primary.n})`}`;
      case 'engine-restarted':
        return `engine of ${event.model} restarted: ${event.reason}`;
      case 'download':
        this.downloading = `${event.name} ${bytes(event.doneBytes)}${event.totalBytes === null ? '' : ` of ${bytes(event.totalBytes)}`}${event.bytesPerSecond === null ? '' : ` at ${bytes(event.bytesPerSecond)}/s`} (${event.source})`;
        if (event.totalBytes !== null && event.doneBytes >= event.totalBytes) {
          if (this.downloaded.has(`${event.name} ${event.source}`)) return null;
          this.downloaded.add(`${event.name} ${event.source}`);
          const line = `downloaded ${this.downloading}`;
          this.downloading = '';
          return line;
        }
        return null;
      case 'warning':
        return `warning: ${event.message}`;
      case 'note':
        return event.message;
      case 'interrupted':
        return 'interrupted: finishing the samples in flight; press Ctrl-C again to stop now';
      default:
        return null;
    }
  }

  private takeSample(event: Extract<RunEvent, { kind: 'sample-finished' }>): void {
    this.done++;
    this.taskDone++;
    if (event.outcome === 'error') this.errors++;
    if (event.correct === null) return;
    this.judged++;
    if (event.correct) this.correct++;
  }

  line(width: number): string {
    if (this.downloading !== '') return this.downloading.slice(0, width - 1);
    if (this.total === 0) return '';
    const elapsed = (performance.now() - this.startMs) / 1000;
    const fresh = this.done - this.startDone;
    const eta = fresh > 0 ? (elapsed / fresh) * (this.total - this.done) : Number.NaN;
    const score = this.judged > 0 ? ` ${((this.correct / this.judged) * 100).toFixed(1)} %` : '';
    const errors = this.errors > 0 ? ` ${this.errors} errors` : '';
    return `${bar(this.done, this.total, 20)} ${this.done}/${this.total} ETA ${clockText(eta)} · ${this.model} · ${this.task} ${this.taskDone}/${this.taskTotal}${score}${errors}`.slice(
      0,
      width - 1,
    );
  }
}

export interface ProgressWriter {
  readonly listener: EventListener;
  readonly close: () => void;
}

/** Chooses the mode from the stream and flags, and returns a listener that never throws. */
export function createProgressWriter(mode: ProgressMode, stream: NodeJS.WriteStream = process.stderr): ProgressWriter {
  const state = new ProgressState();
  let drawn = false;
  let lastMs = 0;
  const clear = () => {
    if (drawn) stream.write('\r\u001b[K');
    drawn = false;
  };
  const draw = (force: boolean) => {
    const now = performance.now();
    if (!force && now - lastMs < (mode === 'tty' ? redrawEveryMs : plainEveryMs)) return;
    const line = neutraliseForTerminal(state.line(stream.columns || 80));
    if (line === '') return;
    lastMs = now;
    stream.write(mode === 'tty' ? `\r\u001b[K${line}` : `${line}\n`);
    drawn = mode === 'tty';
  };
  const listener: EventListener = (event) => {
    if (mode === 'ndjson') {
      stream.write(`${JSON.stringify(event)}\n`);
      return;
    }
    const line = state.take(event);
    const isLoud = event.kind === 'warning' || event.kind === 'model-failed' || event.kind === 'interrupted';
    if (mode === 'quiet' && !isLoud) return;
    if (line !== null) {
      clear();
      stream.write(`${neutraliseForTerminal(line)}\n`);
    }
    if (mode !== 'quiet') draw(false);
  };
  return { listener, close: clear };
}

export function progressMode(options: { readonly quiet?: boolean | undefined; readonly progress?: string | undefined }): ProgressMode {
  if (options.quiet === true) return 'quiet';
  if (options.progress === 'ndjson' || options.progress === 'plain' || options.progress === 'tty') return options.progress;
  return process.stderr.isTTY === true ? 'tty' : 'plain';
}
