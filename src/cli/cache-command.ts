// `slmbench cache ls|prune|explain`.
import { describeCache, explainKey, pruneCaches } from '../app/caches.ts';
import { formatBytes } from '../report/format-values.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';

export async function listCache(json: boolean): Promise<string> {
  const caches = await describeCache();
  if (json) return `${JSON.stringify(caches, null, 2)}\n`;
  const files = caches.files.map((file) => `${formatBytes(file.sizeBytes).padStart(10)}  ${file.modifiedAt.slice(0, 10)}  ${file.path}`);
  const total = caches.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return neutraliseForTerminal(
    `${[...files, `${files.length} files, ${formatBytes(total)} in ${caches.folder}`, `responses: ${caches.responses.entries} answers, ${formatBytes(caches.responses.bytes)}`].join('\n')}\n`,
  );
}

export async function pruneCache(flags: {
  readonly olderThan: number;
  readonly responses?: boolean;
  readonly dryRun?: boolean;
}): Promise<string> {
  const removed = await pruneCaches({ olderThanDays: flags.olderThan, responses: flags.responses === true, dryRun: flags.dryRun === true });
  const total = removed.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const verb = flags.dryRun === true ? 'would remove' : 'removed';
  return neutraliseForTerminal(
    `${removed.files.map((file) => `${verb} ${file.path}`).join('\n')}${removed.files.length > 0 ? '\n' : ''}${verb} ${removed.files.length} files (${formatBytes(total)}) and ${removed.answers} answers\n`,
  );
}

export async function explainCacheKey(key: string): Promise<string> {
  return `${JSON.stringify(await explainKey(key), null, 2)}\n`;
}
