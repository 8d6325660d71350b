// The API key of a server: read from the environment only, sent to the named server only, never shown.
import type { ServerAddress } from './server-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that may hold the key, in the order in which they are tried. */
export const keyVariables = ['SLMBENCH_API_KEY', 'OPENAI_API_KEY'] as const;

/**
 * The key for a server. `SLMBENCH_API_KEY` goes to whichever server the user names; `OPENAI_API_KEY`, which is often set for
 * another purpose, not over an unencrypted connection to another machine.
 */
export function findApiKey(address: ServerAddress, environment: Environment = process.env): string | null {
  const own = environment['SLMBENCH_API_KEY']?.trim();
  if (own) return own;
  const general = environment['OPENAI_API_KEY']?.trim();
  return general && (address.isEncrypted || address.isLoopback) ? general : null;
}

export type Redact = (text: string) => string;

/** Takes known secrets, also in base64 and URL encoding, out of any text: servers echo keys in their error messages. */
export function createRedactor(secrets: readonly (string | null)[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === null || secret.length < 4) continue;
    forms.add(secret).add(encodeURIComponent(secret)).add(Buffer.from(secret).toString('base64'));
  }
  const longestFirst = [...forms].sort((left, right) => right.length - left.length);
  return (text) => longestFirst.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
