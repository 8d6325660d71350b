// Proves before a model is loaded that what the run shall leave outside its own folder can be written there.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ToolError } from '../core/errors.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { isRecordFile } from './workspace.ts';

/** @throws ToolError `usage`: the folder of the record copy or of the reports cannot be made or written to */
export async function checkOutputs(request: Pick<EvaluationRequest, 'output' | 'reportFolder'>): Promise<void> {
  const { output, reportFolder } = request;
  if (!isRecordFile(output) && reportFolder === undefined) return;
  const { makeWritable } = await import('../store/files/make-writable.ts');
  if (isRecordFile(output)) {
    const target = resolve(output);
    await makeWritable(dirname(target), 'the folder of the record');
    if (await isFolder(target))
      throw new ToolError('usage', `cannot write the record to ${target}: it is a folder`, {
        hint: 'name a file, or a folder without .json',
      });
  }
  if (reportFolder !== undefined) await makeWritable(resolve(reportFolder), 'report folder');
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
