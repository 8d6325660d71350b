// The prompt as the server builds it: exact where the server shows its template and tokenizer, else the messages as text.
import { z } from 'zod';
import type { Prompt, RenderedPrompt } from '../../core/prompt.ts';
import { joinAsText } from '../../templating/chat-fallbacks.ts';
import { requestJson } from '../shared/request-json.ts';
import type { ServerConnection } from '../shared/server-connection.ts';
import { PassingFault } from '../shared/server-fault.ts';
import type { ServerDescription } from './server-kind.ts';

const appliedSchema = z.object({ prompt: z.string() });
const tokensSchema = z.object({ tokens: z.array(z.object({ id: z.number().int(), piece: z.union([z.string(), z.array(z.number())]) })) });

export async function renderAt(connection: ServerConnection, server: ServerDescription, prompt: Prompt): Promise<RenderedPrompt> {
  if (server.kind !== 'llama-server') return { text: textOf(prompt) };
  try {
    const text = prompt.kind === 'text' ? prompt.text : await applyTemplate(connection, prompt);
    // The server adds its start marker only where the template has not written one.
    const body = { content: text, add_special: prompt.kind === 'text', parse_special: prompt.kind === 'chat', with_pieces: true };
    const { tokens } = tokensSchema.parse(await requestJson(connection, { method: 'POST', path: '/tokenize', fromOrigin: true, body }));
    const pieces = tokens.map(({ piece }) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')));
    return { text, tokens: tokens.map(({ id }) => id), pieces };
  } catch (thrown) {
    throw thrown instanceof PassingFault ? thrown.fault : thrown;
  }
}

async function applyTemplate(connection: ServerConnection, prompt: Extract<Prompt, { kind: 'chat' }>): Promise<string> {
  const messages = prompt.prefill ? [...prompt.messages, { role: 'assistant', content: prompt.prefill }] : prompt.messages;
  const body = { messages };
  return appliedSchema.parse(await requestJson(connection, { method: 'POST', path: '/apply-template', fromOrigin: true, body })).prompt;
}

function textOf(prompt: Prompt): string {
  if (prompt.kind === 'text') return prompt.text;
  const text = joinAsText(prompt.messages);
  return prompt.prefill ? `${text}\n\n${prompt.prefill}` : text;
}
