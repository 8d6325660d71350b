import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { listeningInodes, pidsOfNetstat, processesListeningOn } from './local-server-processes.ts';
import { parseServerAddress } from './server-address.ts';
import { serverProcessIds } from './server-process-ids.ts';
import { createRedactor, findApiKey } from './server-secrets.ts';

const script = "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
afterAll(() => child.kill());

describe('processes of a local server', () => {
  it('are found by the port, and followed after a restart', async () => {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(String(line));
    expect(processesListeningOn(port)).toEqual([child.pid]);
    const ids = serverProcessIds(parseServerAddress(`http://localhost:${port}/v1`));
    expect([ids(), ids()]).toEqual([[child.pid], [child.pid]]);
    expect(serverProcessIds(parseServerAddress(`http://192.0.2.1:${port}`))()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('are not those that only pass the port on', async () => {
    // The kernel shows the name that a program gives itself.
    const proxy = spawn(process.execPath, ['--title=socat', '-e', `process.title = 'socat'; ${script}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(proxy.stdout, 'data')) as [Buffer];
    expect(processesListeningOn(Number(String(line)))).toEqual([]);
    proxy.kill();
  });

  it('are none for a port that nobody listens on', () => {
    expect(processesListeningOn(1)).toEqual([]);
  });

  it('reads the tables of Linux and Windows', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0',
      '   1: 0100007F:2CAA 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0',
    ].join('\n');
    expect(listeningInodes('/proc/net/tcp', 11_434, () => table)).toEqual(['4711']);
    const netstat =
      '  TCP    127.0.0.1:11434   0.0.0.0:0        ABH\u00d6REN    1234\r\n  TCP    127.0.0.1:11434   127.0.0.1:5000   HERGESTELLT    99\r\n';
    expect(pidsOfNetstat(netstat, 11_434)).toEqual([1234]);
  });
});

describe('addresses and keys', () => {
  it('are shown without anything secret', () => {
    const address = parseServerAddress('https://us%40er:pa%2Fss@host.example:8443/v1/?api_key=abcdef');
    expect(address).toMatchObject({
      shown: 'https://***@host.example:8443/v1',
      basePath: '/v1',
      query: '?api_key=abcdef',
      port: 8443,
      isLoopback: false,
      isEncrypted: true,
    });
    expect(address.secrets).toEqual(['pa/ss', 'abcdef']);
    expect(parseServerAddress('http://[::1]:80')).toMatchObject({ isLoopback: true, port: 80, host: '::1' });
  });

  it('a general key goes to this machine or over an encrypted connection only', () => {
    const keys = { OPENAI_API_KEY: 'sk-general' };
    const keyFor = (url: string, environment: Record<string, string> = keys) => findApiKey(parseServerAddress(url), environment);
    expect([keyFor('http://127.0.0.1:1'), keyFor('https://box.example'), keyFor('http://box.example')]).toEqual([
      'sk-general',
      'sk-general',
      null,
    ]);
    expect(keyFor('http://box.example', { ...keys, SLMBENCH_API_KEY: ' own ' })).toBe('own');
    expect(keyFor('http://127.0.0.1:1', { OPENAI_API_KEY: '' })).toBeNull();
  });

  it('the longest form is struck out first', () => {
    const redact = createRedactor(['abcd', 'abcdefgh', null, 'x']);
    expect(redact('abcdefgh abcd x')).toBe('*** *** x');
  });
});
