// Which endpoints get no new requests: a file that an operator changes while runs go on.
import { readFileSync, statSync } from 'node:fs';

/** Environment variable that names the file: one endpoint (host:port) a line, `#` starts a comment. */
export const drainVariable = 'SLMBENCH_DRAIN_FILE';

const lookEveryMs = 1000;

export function parseDrainFile(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(
    lines.filter((line) => line !== '').map((line) => (URL.canParse(line) && /^https?:/.test(line) ? new URL(line).host : line)),
  );
}

/**
 * Tells the names in the file now and whenever it has changed; a file that is not there names none.
 * @returns ends the watch
 */
export function watchDrainFile(path: string, onChange: (names: ReadonlySet<string>) => void): () => void {
  let known: string | null = null;
  const look = (): void => {
    let text = '';
    try {
      const { mtimeMs, size } = statSync(path);
      const version = `${mtimeMs} ${size}`;
      if (version === known) return;
      known = version;
      text = readFileSync(path, 'utf8');
    } catch {
      if (known === '') return;
      known = '';
    }
    onChange(parseDrainFile(text));
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
