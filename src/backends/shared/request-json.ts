// Small requests to a server: one JSON value or text, read whole, with a limit on its size.
import { ToolError } from '../../core/errors.ts';
import type { Exchange, ServerConnection } from './server-connection.ts';
import { PassingFault, serverText } from './server-fault.ts';

const maxReplyBytes = 64 * 2 ** 20;
/** Such questions are answered at once by a server that works. */
const quickMs = 15_000;

export interface TextReply {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** @throws ToolError or PassingFault as `ServerConnection.exchange` does */
export async function requestText(connection: ServerConnection, exchange: Exchange): Promise<TextReply> {
  try {
    return await requestOnce(connection, exchange);
  } catch (thrown) {
    if (thrown instanceof PassingFault && thrown.isStale) return await requestOnce(connection, exchange);
    throw thrown;
  }
}

async function requestOnce(connection: ServerConnection, exchange: Exchange): Promise<TextReply> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  const timeouts = { firstContentMs: quickMs, stallMs: quickMs, ...exchange.timeouts };
  const { headers } = await connection.exchange(
    { ...exchange, timeouts },
    {
      onBlock: (block) => {
        if ((bytes += block.length) > maxReplyBytes)
          throw new ToolError('backend', `${connection.faults.shown}${exchange.path} sent more than 64 MiB`);
        blocks.push(block);
        return 'content';
      },
    },
  );
  return { text: Buffer.concat(blocks).toString('utf8'), headers };
}

/** @throws ToolError `backend` where the reply is no JSON */
export async function requestJson(connection: ServerConnection, exchange: Exchange): Promise<unknown> {
  const { text } = await requestText(connection, exchange);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { shown, redact } = connection.faults;
    throw new ToolError('backend', `${shown}${exchange.path} did not answer with JSON but with ${serverText(text, redact) || 'nothing'}`, {
      hint: 'is this the address of the API? OpenAI-compatible servers usually end in /v1',
      cause,
    });
  }
}
