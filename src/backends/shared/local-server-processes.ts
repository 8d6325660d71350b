// Finds the process that listens on a port of this machine, so that the profiler can measure a server it did not start.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Programs that only pass a port on (to a container, through a tunnel): their memory is not the model's. */
const forwarders = /^(?:docker-proxy|rootlessport|slirp4netns|pasta|ssh|sshd|socat|kubectl|nginx|haproxy|caddy|envoy|traefik)$/u;

/** Process ids that listen on a TCP port, forwarders left out; empty where there are none or the system does not tell (another user's process). */
export function processesListeningOn(port: number): readonly number[] {
  try {
    if (process.platform === 'linux') return fromProc(port);
    return process.platform === 'win32' ? fromNetstat(port) : fromLsof(port);
  } catch {
    return [];
  }
}

function fromProc(port: number): readonly number[] {
  const inodes = new Set([...listeningInodes('/proc/net/tcp', port), ...listeningInodes('/proc/net/tcp6', port)]);
  if (inodes.size === 0) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && holdsSocket(name, inodes) && !forwarders.test(commandOf(name)))
    .map(Number);
}

/** Socket numbers in state LISTEN (0A) on a port; the table has hexadecimal `address:port`. */
export function listeningInodes(
  table: string,
  port: number,
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): readonly string[] {
  let text: string;
  try {
    text = read(table);
  } catch {
    return [];
  }
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/u))
    .filter((fields) => fields[1]?.endsWith(wanted) === true && fields[3] === '0A')
    .map((fields) => fields[9]!);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const inode = /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false;
  }
}

function fromLsof(port: number): readonly number[] {
  const text = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8', timeout: 3000 });
  return [...new Set(text.split(/\s+/u).filter(Boolean).map(Number))];
}

function fromNetstat(port: number): readonly number[] {
  return pidsOfNetstat(execFileSync('netstat', ['-ano', '-p', 'TCP'], { encoding: 'utf8', timeout: 5000 }), port);
}

/** Columns: protocol, local address, foreign address, state, pid. */
export function pidsOfNetstat(text: string, port: number): readonly number[] {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/u));
  const listening = rows.filter((row) => row[1]?.endsWith(`:${port}`) === true && /:0$/u.test(row[2] ?? ''));
  return [...new Set(listening.map((row) => Number(row[4])).filter((pid) => pid > 0))];
}
