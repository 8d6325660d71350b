// What a person sees on stderr while a command works.
import { expect, test } from 'vitest';
import type { RunEvent } from '../core/events.ts';
import { createProgressWriter } from './progress-writer.ts';

const at = '2026-01-01T00:00:00.000Z';

function shown(events: readonly RunEvent[]): string {
  let text = '';
  const stream = { columns: 120, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
  const { listener } = createProgressWriter('tty', stream);
  for (const event of events) listener(event);
  return text;
}

const begun = (done: number): readonly RunEvent[] => [
  { kind: 'run-started', at, runId: 'r', planDigest: '', total: 3, done, resumed: false },
  { kind: 'task-started', at, model: 'm', task: 't', total: 3, done },
];
const finished: RunEvent = { kind: 'task-finished', at, model: 'm', task: 't', primary: null };

test('a run that ended is not drawn again by what follows it in the same command', () => {
  expect(shown([...begun(0), finished])).toMatch(/0\/3/);
  expect(shown([...begun(3), finished, { kind: 'note', at, message: 'training' }])).toMatch(/training\n$/);
});
