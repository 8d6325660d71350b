// Shuts Pyodide's in-memory file system and sockets: only the standard library can be read, nothing written or connected.
import type { PyodideParts } from './pyodide-parts.ts';

/** Emscripten's number for "permission denied". */
const accessDenied = 2;
const writeFlags = 0o3 | 0o100 | 0o1000 | 0o2000;
const changes = [
  'mkdir',
  'mkdev',
  'mknod',
  'symlink',
  'rename',
  'rmdir',
  'unlink',
  'chmod',
  'chown',
  'truncate',
  'utime',
  'mount',
  'unmount',
  'writeFile',
];

/** Closing also keeps one program's files from the next: the file system lives outside the memory that is put back. */
export function closeFileSystem({ FS, SOCKFS }: PyodideParts['_module']): void {
  const deny = (): never => {
    throw new FS.ErrnoError(accessDenied);
  };
  for (const name of changes) {
    const original = FS[name];
    // Pyodide makes and removes devices of its own while it formats an exception.
    if (original !== undefined) FS[name] = (path, ...rest) => (isDevice(path) ? original(path, ...rest) : deny());
  }
  const open = FS['open']!;
  FS['open'] = (path, flags, ...rest) => {
    const isWriting = typeof flags === 'number' ? (flags & writeFlags) !== 0 : typeof flags === 'string' && /[wa+]/.test(flags);
    const isLibrary = typeof path === 'string' ? /^\/lib\/python/.test(path) && !path.includes('..') : true;
    return !isDevice(path) && (isWriting || !isLibrary) ? deny() : open(path, flags, ...rest);
  };
  if (SOCKFS !== undefined) SOCKFS.createSocket = deny;
}

function isDevice(path: unknown): boolean {
  return typeof path === 'string' && /^\/dev\/[a-z_]+$/.test(path);
}
