// Where Ollama listens: the address in the reference, else OLLAMA_HOST, else its usual port on this machine.
import { ToolError } from '../../core/errors.ts';
import { parseServerAddress } from '../shared/server-address.ts';
import { defaultTimeouts, openConnection, type ServerConnection, type Timeouts } from '../shared/server-connection.ts';
import { createRedactor, findApiKey } from '../shared/server-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** OLLAMA_HOST may lack scheme and port (`0.0.0.0`, `host:1234`, `:1234`); a server that listens everywhere is asked on loopback. */
export function ollamaUrl(url: string | undefined, environment: Environment = process.env): string {
  const named = url ?? (environment['OLLAMA_HOST']?.trim() || '127.0.0.1:11434');
  const hasScheme = /^https?:\/\//iu.test(named);
  const text = hasScheme ? named : `http://${named.replace(/^:/u, '127.0.0.1:')}`;
  if (!URL.canParse(text))
    throw new ToolError('usage', 'OLLAMA_HOST is not an address', { hint: 'expected host:port or http://host:port' });
  const parsed = new URL(text);
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1';
  if (parsed.port === '' && !hasScheme) parsed.port = '11434';
  return parsed.href;
}

export function connectOllama(
  url: string | undefined,
  timeouts: Partial<Timeouts> = {},
  environment: Environment = process.env,
): ServerConnection {
  const address = parseServerAddress(ollamaUrl(url, environment));
  const apiKey = environment['OLLAMA_API_KEY']?.trim() || findApiKey(address, { SLMBENCH_API_KEY: environment['SLMBENCH_API_KEY'] });
  const redact = createRedactor([apiKey, ...address.secrets]);
  return openConnection({
    address,
    apiKey,
    timeouts: { ...defaultTimeouts, ...timeouts },
    environment,
    faults: { shown: address.shown, redact, startHint: 'start it with: ollama serve' },
  });
}
