// A folder that exists and takes files, proven before work starts.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { storageError } from './storage-error.ts';

/**
 * Creates the folder and proves by a real file that it can be written to: access bits lie on read-only mounts.
 * @param what - named in the error, e.g. `output folder`
 * @throws ToolError `usage`
 */
export async function makeWritable(folder: string, what: string): Promise<void> {
  const probe = join(folder, `.probe.tmp-${process.pid}`);
  try {
    await makeFolders(resolve(folder));
    await writeFile(probe, 'x');
    await rm(probe, { force: true });
  } catch (error) {
    // Such file systems (/proc) say that the new folder itself is missing.
    const refused = (error as NodeJS.ErrnoException).code === 'ENOENT' ? { code: 'EACCES' } : error;
    throw storageError(`cannot use ${what}`, folder, refused, 'usage');
  }
}

/** Node's own recursive mkdir never returns where a parent exists and refuses children with ENOENT, as /proc does. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error;
    await makeFolders(parent);
    await mkdir(folder).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
