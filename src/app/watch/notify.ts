// Tells people: by webhook, a file of lines, or a command that reads JSON on its input. Secrets are taken out first.
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import { redactSecrets } from './redact-secrets.ts';

export interface Notification {
  /** One or more lines for people; chat services show the field of this name. */
  readonly text: string;
  readonly kind: 'regression' | 'level-shift' | 'run-failed' | 'model-changed';
  readonly at: string;
  readonly recipe: string;
  readonly runId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface NotifyTargets {
  readonly url?: string | undefined;
  readonly file?: string | undefined;
  /** Run by the shell; the notification is JSON on standard input. */
  readonly command?: string | undefined;
}

const attempts = 3;
const firstPauseMs = 1000;
const requestLimitMs = 15_000;
const commandLimitMs = 60_000;

async function post(url: string, body: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(requestLimitMs),
      });
      if (answer.ok) return;
      if (answer.status < 500 && answer.status !== 429) throw new RangeError(`the webhook answered ${answer.status}`);
      throw new Error(`the webhook answered ${answer.status}`);
    } catch (error) {
      if (attempt === attempts || error instanceof RangeError) throw error;
    }
    await sleep(firstPauseMs * 2 ** (attempt - 1));
  }
}

function pipeTo(command: string, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'], timeout: commandLimitMs });
    child.once('error', reject);
    child.once('exit', (code, signal) => (code === 0 ? resolve() : reject(new Error(`the command ended with ${signal ?? code}`))));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Sends to every target; what could not be sent is returned as text: a broken webhook must not end a watch. */
export async function notify(notification: Notification, targets: NotifyTargets): Promise<string[]> {
  const body = redactSecrets(JSON.stringify(notification));
  const sends: readonly (readonly [string, (() => Promise<void>) | null])[] = [
    ['webhook', targets.url === undefined ? null : () => post(targets.url!, body)],
    ['file', targets.file === undefined ? null : () => appendFile(targets.file!, `${body}\n`)],
    ['command', targets.command === undefined ? null : () => pipeTo(targets.command!, body)],
  ];
  const failures: string[] = [];
  for (const [name, send] of sends) {
    await send?.().catch((error: unknown) => failures.push(redactSecrets(`${name}: ${messageOf(error)}`)));
  }
  return failures;
}
