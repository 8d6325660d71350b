// The built client: a fixed set of files read at start. A request picks one by name, so no path of a request reaches the disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../core/errors.ts';

export interface ClientFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
export type ClientFiles = ReadonlyMap<string, ClientFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside the built server, or in dist/ when the sources are run directly. */
export function clientFolder(): string {
  const places = ['../client', '../../../dist/web/client'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find((place) => existsSync(join(place, 'assets')));
  if (found === undefined)
    throw new ToolError('unavailable', 'the viewer is not built', { hint: 'npm run build makes it (installed packages have it)' });
  return found;
}

export function readClientFiles(folder: string): ClientFiles {
  const files = new Map<string, ClientFile>();
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(item.name)];
    if (!item.isFile() || type === undefined) continue;
    const path = join(item.parentPath, item.name);
    const name = path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '');
    files.set(name, { type, bytes: new Uint8Array(readFileSync(path)) });
  }
  return files;
}
