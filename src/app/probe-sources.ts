// Which sources of models and data answer from here.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { request } from 'undici';
import { messageOf } from '../core/errors.ts';
import type { DoctorFinding } from './doctor.ts';
import type { Workspace } from './workspace.ts';

const answerTimeoutMs = 3000;
const run = promisify(execFile);

async function answers(name: string, url: string, hint: string): Promise<DoctorFinding> {
  try {
    const response = await request(url, {
      method: 'GET',
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.body.dump();
    return { name, state: response.statusCode < 500 ? 'ok' : 'note', value: `${new URL(url).origin} answers (${response.statusCode})` };
  } catch (thrown) {
    return { name, state: 'note', value: `${new URL(url).origin} does not answer: ${messageOf(thrown)}`, hint };
  }
}

/** The user's own pip or uv, through which `pypi:` sources are fetched. */
async function packageClient(): Promise<DoctorFinding> {
  for (const [command, args] of [
    ['uv', ['--version']],
    ['python3', ['-m', 'pip', '--version']],
    ['pip', ['--version']],
  ] as const) {
    const answer = await run(command, [...args], { timeout: answerTimeoutMs }).catch(() => null);
    if (answer !== null) return { name: 'pypi: sources', state: 'ok', value: `through ${answer.stdout.trim().split(' from ')[0]}` };
  }
  return {
    name: 'pypi: sources',
    state: 'note',
    value: 'neither uv nor pip was found',
    hint: 'install Python with pip, or use hf: sources',
  };
}

export async function probeSources(workspace: Workspace): Promise<readonly DoctorFinding[]> {
  if (workspace.offline) return [{ name: 'sources', state: 'note', value: 'offline: no connection is made' }];
  const hub = process.env['HF_ENDPOINT'] ?? 'https://huggingface.co';
  const ollama = process.env['OLLAMA_HOST'] ?? '127.0.0.1:11434';
  const ollamaUrl = /^https?:/.test(ollama) ? ollama : `http://${ollama}`;
  return Promise.all([
    answers('hf: sources', hub, 'set HF_ENDPOINT for a mirror; files in the cache still work'),
    packageClient(),
    answers('ollama', ollamaUrl, 'start it with: ollama serve'),
  ]);
}
