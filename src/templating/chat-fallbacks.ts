// Message lists reshaped for chat templates (and servers) that refuse a system role or demand alternating turns.
import type { Message } from '../core/prompt.ts';

const separator = '\n\n';

/** The system text moved to the head of the first user turn; without a user turn it becomes one. */
export function foldSystemIntoUser(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  if (system.length === 0) return messages;
  const rest = messages.filter((message) => message.role !== 'system');
  const target = rest.findIndex((message) => message.role === 'user');
  const instruction = system.join(separator);
  if (target === -1) return [{ role: 'user', content: instruction }, ...rest];
  return rest.map((message, index) =>
    index === target ? { role: message.role, content: `${instruction}${separator}${message.content}` } : message,
  );
}

/** Turns of the same role in a row joined by a blank line. */
export function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) {
      merged[merged.length - 1] = { role: message.role, content: `${last.content}${separator}${message.content}` };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

/** Messages as plain text for a model without chat template: contents with a blank line between. */
export function joinAsText(messages: readonly Message[]): string {
  return messages.map((message) => message.content).join(separator);
}
