// A reference that names no run says so, whatever stands at that path.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from './open-run.ts';
import { openWorkspace } from './workspace.ts';

test.each([
  ['an unknown id', 'nope', 'not-found', /no run "nope"/],
  ['a folder without a record', '.', 'not-found', /there is no record in/],
  ['a file that is no JSON', 'text.json', 'data', /not readable JSON/],
  ['a file that is no record', 'other.json', 'data', /is not a record: schema/],
])('%s', async (_, name, code, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'slmbench-open-'));
  await writeFile(join(folder, 'text.json'), 'hello');
  await writeFile(join(folder, 'other.json'), '{}');
  const workspace = await openWorkspace({ output: folder });
  const reference = name === 'nope' ? name : join(folder, name);
  await expect(openRun(reference, workspace)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
