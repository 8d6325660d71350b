// Files that ship with the package, under `data/builtin/`.
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';

const folder = new URL('../../data/builtin/', import.meta.url);

/** Path of a shipped file by its file name. @throws ToolError `not-found` with the nearest name */
export function builtinFile(name: string): string {
  const known = readdirSync(folder).filter((file) => statSync(new URL(file, folder)).isFile());
  if (!known.includes(name)) throw new ToolError('not-found', `there is no built-in file "${name}"`, { hint: suggestName(name, known) });
  return fileURLToPath(new URL(name, folder));
}
