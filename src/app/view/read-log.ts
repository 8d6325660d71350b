// The last events of a run as sentences.
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDuration } from '../../report/format-values.ts';
import type { LogLine } from '../../report/viewer/viewer-contract.ts';
import { runFiles } from '../../store/files/run-folder.ts';

const tailBytes = 64 * 1024;
const mostLines = 200;
type Event = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (event: Event) => string>> = {
  'run-started': (event) => `${event['resumed'] === true ? 'resumed' : 'started'}: ${event['done']} of ${event['total']} samples done`,
  'model-loading': (event) => `loading ${event['model']}`,
  'model-loaded': (event) =>
    `${event['model']} loaded${typeof event['loadMs'] === 'number' ? ` in ${formatDuration(event['loadMs'])}` : ''}`,
  'model-failed': (event) => `${event['model']} failed: ${event['message']}`,
  'model-closed': (event) => `${event['model']} closed`,
  'task-started': (event) => `${event['model']} on ${event['task']}: ${event['total']} samples`,
  'task-finished': (event) => `${event['model']} on ${event['task']}: finished`,
  'engine-restarted': (event) => `engine of ${event['model']} restarted: ${event['reason']}`,
  warning: (event) => String(event['message']),
  note: (event) => String(event['message']),
  interrupted: () => 'stopped by the user',
  'run-finished': (event) => `finished: ${event['status']}`,
};

export async function readLog(folder: string): Promise<readonly LogLine[]> {
  const path = join(folder, runFiles.events);
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size === 0) return [];
  const file = await open(path, 'r');
  try {
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The first line may be cut, the last one torn.
    return lines
      .slice(from > 0 ? 1 : 0, -1)
      .flatMap(toLine)
      .slice(-mostLines);
  } finally {
    await file.close();
  }
}

function toLine(text: string): LogLine[] {
  try {
    const event = JSON.parse(text) as Event;
    const kind = String(event['kind']);
    const sentence = sentences[kind];
    return sentence === undefined ? [] : [{ at: String(event['at']), kind, text: sentence(event) }];
  } catch {
    return [];
  }
}
