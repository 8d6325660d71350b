// The state of a git working tree for provenance: commit, description, whether it is dirty and the digest of what differs.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { z } from 'zod';
import type { gitSchema } from '../core/record.ts';

export type GitFacts = z.infer<typeof gitSchema>;

const run = promisify(execFile);
const unknown: GitFacts = { commit: null, describe: null, dirty: null, diffDigest: null };

async function git(folder: string, args: readonly string[]): Promise<string | null> {
  const result = await run('git', ['-C', folder, ...args], { timeout: 10_000, maxBuffer: 256 * 1024 * 1024 }).catch(() => null);
  return result === null ? null : result.stdout;
}

/** All null outside a git working tree. Untracked files count as dirt but are not in the diff digest. */
export async function readGitFacts(folder: string): Promise<GitFacts> {
  const commit = await git(folder, ['rev-parse', 'HEAD']);
  if (commit === null) return unknown;
  const status = await git(folder, ['status', '--porcelain']);
  const dirty = status === null ? null : status.trim() !== '';
  const diff = dirty === true ? await git(folder, ['diff', 'HEAD']) : null;
  return {
    commit: commit.trim(),
    describe: (await git(folder, ['describe', '--always', '--dirty', '--tags']))?.trim() ?? null,
    dirty,
    diffDigest: diff === null ? null : createHash('sha256').update(diff).digest('hex'),
  };
}
