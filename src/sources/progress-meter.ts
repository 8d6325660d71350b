// Bytes and rate of a transfer, reported at most ten times a second.
import type { SourceContext } from './source-context.ts';

export interface ProgressMeter {
  readonly report: (doneBytes: number, totalBytes: number | null) => void;
  readonly finish: (doneBytes: number) => void;
}

const intervalMs = 100;
/** The rate is the mean over this window, so that it follows the line and does not jump. */
const windowMs = 3000;

export function createProgressMeter(name: string, source: string, context: Pick<SourceContext, 'onProgress'>): ProgressMeter {
  const marks: { atMs: number; bytes: number }[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  let known: number | null = null;
  const emit = (doneBytes: number, totalBytes: number | null, atMs: number) => {
    marks.push({ atMs, bytes: doneBytes });
    while (marks.length > 2 && atMs - marks[0]!.atMs > windowMs) marks.shift();
    const spanMs = atMs - marks[0]!.atMs;
    const bytesPerSecond = spanMs > 0 ? ((doneBytes - marks[0]!.bytes) / spanMs) * 1000 : null;
    context.onProgress?.({ name, doneBytes, totalBytes, bytesPerSecond, source });
  };
  return {
    report(doneBytes, totalBytes) {
      known = totalBytes;
      const atMs = performance.now();
      if (atMs - lastMs < intervalMs) return;
      lastMs = atMs;
      emit(doneBytes, totalBytes, atMs);
    },
    finish(doneBytes) {
      emit(doneBytes, known ?? doneBytes, performance.now());
    },
  };
}
