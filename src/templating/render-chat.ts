// Turns chat messages into prompt text by a model's own chat template (the Jinja source in GGUF metadata or tokenizer_config.json).
import { messageOf, ToolError } from '../core/errors.ts';
import type { BackendWarning, GenerationSettings } from '../core/generation.ts';
import type { Message } from '../core/prompt.ts';
import { foldSystemIntoUser, joinAsText, mergeTurns } from './chat-fallbacks.ts';
import { type ChatSegment, commonControlTokens, controlTokenPattern, segmentChat } from './chat-segments.ts';
import { formatDate } from './format-date.ts';
import { compileJinja, runJinja } from './jinja-program.ts';

/** What had to be done because the template did not take the messages as they are. */
export type ChatFallback = 'no-template' | 'system-folded' | 'turns-merged';

export interface ChatInput {
  readonly messages: readonly Message[];
  /** End with the opening of the answer turn. @default true */
  readonly addGenerationPrompt?: boolean | undefined;
  /** Texts of the vocabulary's BOS and EOS tokens; empty where it has none. */
  readonly bosToken?: string | undefined;
  readonly eosToken?: string | undefined;
  /** @default 'auto': the model's own default */
  readonly thinking?: GenerationSettings['thinking'] | undefined;
  /** Opens the answer turn; kept exactly, never parsed for control tokens. */
  readonly prefill?: string | undefined;
  /** More variables for the template. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** Every control token of the vocabulary (a stable array); without it, common shapes are recognised. */
  readonly controlTokens?: readonly string[] | undefined;
  /** Date that `strftime_now` prints. @default 26 July 2024, so that a prompt is the same tomorrow */
  readonly now?: Date | undefined;
}

export interface RenderedChat {
  readonly text: string;
  /** The same text in pieces; see ChatSegment. */
  readonly segments: readonly ChatSegment[];
  /** True where the template wrote BOS itself: the tokenizer must not add another. */
  readonly startsWithBos: boolean;
  readonly fallbacks: readonly ChatFallback[];
  readonly warnings: readonly BackendWarning[];
}

/** The day that Llama 3 templates print where there is no clock. */
const fixedDate = new Date(2024, 6, 26);

/**
 * Renders messages with a chat template. A template that refuses (or silently drops) a system message gets it folded into the
 * first user turn; one that demands alternation gets neighbouring turns merged; each is named in `fallbacks` and `warnings`.
 * Without a template the contents are joined as plain text: no format is guessed.
 * @throws ToolError `template` where no fallback helps
 */
export function renderChat(template: string | null, input: ChatInput): RenderedChat {
  if (input.messages.length === 0) throw new ToolError('template', 'a chat prompt needs at least one message');
  const rendering = template === null ? withoutTemplate(input) : withTemplate(template, input);
  const { text, messages, render, fallbacks, warnings } = rendering;
  const controlPattern = input.controlTokens === undefined ? commonControlTokens : controlTokenPattern(input.controlTokens);
  const { segments, proved } = segmentChat({ messages, text, render, controlPattern });
  if (!proved) {
    warnings.push({
      kind: 'compatibility',
      message: 'the chat template rewrites text that looks like control tokens; it is parsed as written',
    });
  }
  const opening = openAnswer(text, segments, input, warnings);
  const bos = input.bosToken ?? '';
  return { ...opening, startsWithBos: bos !== '' && opening.text.startsWith(bos), fallbacks, warnings };
}

interface Rendering {
  readonly text: string;
  readonly messages: readonly Message[];
  readonly render: (messages: readonly Message[]) => string;
  readonly fallbacks: readonly ChatFallback[];
  readonly warnings: BackendWarning[];
}

function withoutTemplate(input: ChatInput): Rendering {
  const message = 'no chat template in model; completion mode: the messages are sent as plain text';
  const end = input.prefill === undefined || input.prefill === '' ? '' : '\n\n';
  const render = (messages: readonly Message[]) => `${joinAsText(messages)}${end}`;
  return {
    text: render(input.messages),
    messages: input.messages,
    render,
    fallbacks: ['no-template'],
    warnings: [{ kind: 'compatibility', message }],
  };
}

function withTemplate(template: string, input: ChatInput): Rendering {
  const warnings: BackendWarning[] = [];
  const renderer = rendererOf(template, input, warnings);
  let firstFailure: unknown;
  for (const attempt of attempts(input.messages)) {
    try {
      const text = renderer(attempt.messages);
      if (loses(text, attempt.messages, 'system')) continue;
      if (loses(text, attempt.messages, 'user')) {
        warnings.push({
          kind: 'other',
          message: 'the chat template changes or drops a user turn; look at the prompt with `slmbench sample`',
        });
      }
      for (const fallback of attempt.fallbacks) warnings.push({ kind: 'compatibility', message: fallbackMessages[fallback] });
      return { text, messages: attempt.messages, render: renderer, fallbacks: attempt.fallbacks, warnings };
    } catch (thrown) {
      firstFailure ??= thrown;
    }
  }
  throw new ToolError(
    'template',
    `the model's chat template failed: ${firstFailure === undefined ? 'it drops the instruction' : messageOf(firstFailure)}`,
    {
      hint: 'try the task without --system, or use a plain text prompt',
      cause: firstFailure,
    },
  );
}

const fallbackMessages: Record<ChatFallback, string> = {
  'no-template': 'no chat template in model',
  'system-folded': 'the chat template takes no system message: it was put at the head of the first user turn',
  'turns-merged': 'the chat template demands alternating turns: neighbouring turns of one role were merged',
};

interface Attempt {
  readonly messages: readonly Message[];
  readonly fallbacks: readonly ChatFallback[];
}

/** The message lists to try, least change first. */
function* attempts(messages: readonly Message[]): Generator<Attempt> {
  yield { messages, fallbacks: [] };
  const merged = mergeTurns(messages);
  if (merged.length < messages.length) yield { messages: merged, fallbacks: ['turns-merged'] };
  if (!messages.some((message) => message.role === 'system')) return;
  const folded = foldSystemIntoUser(messages);
  yield { messages: folded, fallbacks: ['system-folded'] };
  const both = mergeTurns(folded);
  if (both.length < folded.length) yield { messages: both, fallbacks: ['system-folded', 'turns-merged'] };
}

function loses(text: string, messages: readonly Message[], role: Message['role']): boolean {
  return messages.some((message) => message.role === role && !text.includes(message.content.trim()));
}

/** Names that templates use for their reasoning switch. */
const thinkingSwitches = /\b(enable_thinking|thinking)\b/u;

function rendererOf(template: string, input: ChatInput, warnings: BackendWarning[]): (messages: readonly Message[]) => string {
  const thinking = input.thinking ?? 'auto';
  if (thinking !== 'auto' && !thinkingSwitches.test(template)) {
    warnings.push({ kind: 'unsupported-setting', setting: 'thinking', message: 'the chat template has no switch for reasoning' });
  }
  let dated = false;
  const globals = {
    ...(thinking === 'auto' ? {} : { enable_thinking: thinking === 'on', thinking: thinking === 'on' }),
    bos_token: input.bosToken ?? '',
    eos_token: input.eosToken ?? '',
    add_generation_prompt: input.addGenerationPrompt ?? true,
    raise_exception: (message: unknown) => {
      throw new Error(String(message));
    },
    strftime_now: (format: string) => {
      if (!dated && input.now === undefined) {
        warnings.push({
          kind: 'compatibility',
          message: 'the chat template prints the date; it is fixed at 26 July 2024 so that prompts repeat',
        });
      }
      dated = true;
      return formatDate(input.now ?? fixedDate, format);
    },
    ...input.extra,
  };
  return (messages) => runJinja(compileJinja(template, 'chat'), { ...globals, messages }, false);
}

/** Adds the prefill; a reasoning block that the template left open is closed first, or the answer would count as reasoning. */
function openAnswer(
  text: string,
  segments: readonly ChatSegment[],
  input: ChatInput,
  warnings: BackendWarning[],
): { readonly text: string; readonly segments: readonly ChatSegment[] } {
  const prefill = input.prefill ?? '';
  if (prefill === '') return { text, segments };
  const open = /<think>\s*$/u.test(text);
  if (open)
    warnings.push({ kind: 'compatibility', message: 'the reasoning block opened by the chat template was closed before the prefill' });
  const closing = open ? `${text.endsWith('\n') ? '' : '\n'}\n</think>\n\n` : '';
  return {
    text: text + closing + prefill,
    segments: [...segments, ...(open ? [{ kind: 'template', text: closing } as const] : []), { kind: 'data', text: prefill }],
  };
}
