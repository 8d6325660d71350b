// `slmbench record show` and `slmbench record canonical`.
import { canonicalText } from '../app/canonical.ts';
import { openRun } from '../app/open-run.ts';
import { openWorkspace } from '../app/workspace.ts';

export async function showRecord(run: string, output: string | undefined): Promise<string> {
  const opened = await openRun(run, await openWorkspace({ output, offline: true }));
  return `${JSON.stringify(opened.record, null, 2)}\n`;
}

export async function* showCanonicalRecord(run: string, output: string | undefined): AsyncGenerator<string> {
  yield* canonicalText(await openRun(run, await openWorkspace({ output, offline: true })));
}
