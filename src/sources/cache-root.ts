// Where slmbench keeps what it fetched.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `$SLMBENCH_CACHE`, else `$XDG_CACHE_HOME/slmbench`, else `%LOCALAPPDATA%\slmbench\cache` on Windows, else `~/.cache/slmbench`. */
export function cacheRoot(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment['SLMBENCH_CACHE']) return resolve(environment['SLMBENCH_CACHE']);
  if (environment['XDG_CACHE_HOME']) return resolve(environment['XDG_CACHE_HOME'], 'slmbench');
  if (process.platform === 'win32' && environment['LOCALAPPDATA']) return join(environment['LOCALAPPDATA'], 'slmbench', 'cache');
  return join(environment['HOME'] ?? homedir(), '.cache', 'slmbench');
}
