// Keeps how memory and processor use went, model by model, as lines of resources.jsonl: what report and viewer draw.
import type { ResourceSample } from '../core/ports/meter.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import { thinSeries } from '../stats/thin-series.ts';

export const timelinesFile = 'resources.jsonl';

/** Points of one model on one task: enough for a picture, little enough for a suite of many tasks. */
const mostPoints = 300;
/** Between two sittings of one run: the clock of the first is gone. */
const gapMs = 1000;

export interface TimelineKeeper {
  /** @param startMs - when the metering began, on the clock that all calls share */
  readonly add: (model: string, startMs: number, samples: readonly ResourceSample[]) => void;
  readonly write: () => Promise<void>;
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);

/** Time of the last line of each model that earlier sittings left; a damaged line is no reason to end a run. */
function lastTimes(text: string): Map<string, number> {
  const last = new Map<string, number>();
  for (const line of text.split('\n')) {
    try {
      const { model, atMs } = JSON.parse(line) as { readonly model?: unknown; readonly atMs?: unknown };
      if (typeof model === 'string' && typeof atMs === 'number') last.set(model, atMs);
    } catch {
      // See above.
    }
  }
  return last;
}

/** Times of a model run from its first measurement on, through all its tasks and all sittings of the run. */
export async function openTimelineKeeper(writer: Pick<RunWriter, 'readArtifact' | 'writeArtifact'>): Promise<TimelineKeeper> {
  let text = (await writer.readArtifact(timelinesFile)) ?? '';
  const ended = lastTimes(text);
  const zeroOf = new Map<string, number>();
  let isWritten = true;
  return {
    add: (model, startMs, samples) => {
      if (samples.length === 0) return;
      const before = ended.get(model);
      const zero = zeroOf.get(model) ?? startMs - (before === undefined ? 0 : before + gapMs);
      zeroOf.set(model, zero);
      const points = samples.map(({ atMs, rssBytes, cpuPercent, gpuMemoryBytes }) => ({ atMs, rssBytes, cpuPercent, gpuMemoryBytes }));
      for (const point of thinSeries(points, mostPoints)) {
        const atMs = Math.round(startMs - zero + point.atMs);
        text += `${JSON.stringify({ model, ...point, atMs, cpuPercent: rounded(point.cpuPercent) })}\n`;
      }
      isWritten = false;
    },
    write: async () => {
      if (isWritten) return;
      isWritten = true;
      await writer.writeArtifact(timelinesFile, text);
    },
  };
}
