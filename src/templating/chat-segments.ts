// Finds which stretches of a rendered chat hold control-token look-alikes that came from data, so that they are never parsed as control tokens.
import type { Message } from '../core/prompt.ts';

/**
 * A stretch of the rendered prompt. `template`: tokenise with control tokens parsed. `data`: tokenise with that parsing off.
 * Cuts lie only beside real control tokens of the template, where a tokenizer cuts anyway, so tokenising the segments
 * one by one gives the ids that the whole text would give if look-alikes in data did not exist.
 */
export interface ChatSegment {
  readonly kind: 'template' | 'data';
  readonly text: string;
}

export interface SegmentInput {
  readonly messages: readonly Message[];
  readonly text: string;
  /** Renders other messages with the same template and settings. */
  readonly render: (messages: readonly Message[]) => string;
  readonly controlPattern: RegExp;
}

export interface SegmentResult {
  readonly segments: readonly ChatSegment[];
  /** False where the template rewrites look-alikes so that their place could not be proved. */
  readonly proved: boolean;
}

/** A position in the message list that looks like a control token. */
interface LookAlike {
  readonly message: number;
  readonly start: number;
  readonly text: string;
}

const maxSingleProofs = 64;

/** Splits rendered text into template and data segments. */
export function segmentChat(input: SegmentInput): SegmentResult {
  const found = findLookAlikes(input.messages, input.controlPattern);
  if (found.length === 0) return { segments: [{ kind: 'template', text: input.text }], proved: true };
  const places = placesOf(input, found) ?? survivingPlaces(input, found);
  if (places === null) return { segments: [{ kind: 'template', text: input.text }], proved: false };
  return { segments: cut(input.text, places, input.controlPattern), proved: true };
}

function findLookAlikes(messages: readonly Message[], pattern: RegExp): LookAlike[] {
  return messages.flatMap((message, index) =>
    [...message.content.matchAll(pattern)].map((match) => ({ message: index, start: match.index, text: match[0] })),
  );
}

/** Ranges in the rendered text that come from these look-alikes, or null if marking them changes the rest of the text. */
function placesOf(input: SegmentInput, marked: readonly LookAlike[]): [number, number][] | null {
  const mark = unusedMark(input);
  const marker = (index: number) => `${mark}${index}${mark}`;
  let rendered: string;
  try {
    rendered = input.render(
      input.messages.map((message, index) => ({ ...message, content: markContent(message.content, index, marked, marker) })),
    );
  } catch {
    return null;
  }
  const places: [number, number][] = [];
  const pieces = rendered.split(new RegExp(`${mark}(\\d+)${mark}`, 'u'));
  let restored = '';
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      restored += piece;
    } else {
      const text = marked[Number(piece)]!.text;
      places.push([restored.length, restored.length + text.length]);
      restored += text;
    }
  }
  return restored === input.text ? places : null;
}

/** Look-alikes that the template itself consumes (`</think>` in history) are left alone; the others are placed. */
function survivingPlaces(input: SegmentInput, found: readonly LookAlike[]): [number, number][] | null {
  if (found.length > maxSingleProofs) return null;
  return placesOf(
    input,
    found.filter((lookAlike) => placesOf(input, [lookAlike]) !== null),
  );
}

function markContent(content: string, message: number, marked: readonly LookAlike[], marker: (index: number) => string): string {
  let result = '';
  let from = 0;
  for (const [index, lookAlike] of marked.entries()) {
    if (lookAlike.message !== message) continue;
    result += content.slice(from, lookAlike.start) + marker(index);
    from = lookAlike.start + lookAlike.text.length;
  }
  return result + content.slice(from);
}

/** A private-use character (survives trimming and case changes) that the rendered text does not hold. */
function unusedMark(input: SegmentInput): string {
  for (let code = 0xe000; code < 0xf8ff; code++) {
    const mark = String.fromCharCode(code);
    if (!input.text.includes(mark) && !input.messages.some((message) => message.content.includes(mark))) return mark;
  }
  return '\u{10fffd}';
}

/** Data segments reach from the last real control token before a look-alike to the first one after it. */
function cut(text: string, places: readonly (readonly [number, number])[], pattern: RegExp): ChatSegment[] {
  const fromData = (start: number, end: number) => places.some(([left, right]) => start < right && end > left);
  const segments: ChatSegment[] = [];
  const push = (kind: ChatSegment['kind'], from: number, to: number) => {
    if (from === to) return;
    const last = segments.at(-1);
    if (last?.kind === kind) segments[segments.length - 1] = { kind, text: last.text + text.slice(from, to) };
    else segments.push({ kind, text: text.slice(from, to) });
  };
  const pushBetween = (from: number, to: number) => push(fromData(from, to) ? 'data' : 'template', from, to);
  let from = 0;
  for (const [start, end] of realControlTokens(text, places, pattern)) {
    pushBetween(from, start);
    push('template', start, end);
    from = end;
  }
  pushBetween(from, text.length);
  return segments;
}

function realControlTokens(text: string, places: readonly (readonly [number, number])[], pattern: RegExp): [number, number][] {
  const real: [number, number][] = [];
  let from = 0;
  for (const [start, end] of [...places, [text.length, text.length] as const]) {
    for (const match of text.slice(from, start).matchAll(pattern)) real.push([from + match.index, from + match.index + match[0].length]);
    from = end;
  }
  return real;
}

const patterns = new WeakMap<readonly string[], RegExp>();

/** Matches any of a vocabulary's control tokens, the longest first. */
export function controlTokenPattern(tokens: readonly string[]): RegExp {
  let pattern = patterns.get(tokens);
  if (pattern === undefined) {
    const alternatives = tokens
      .filter((token) => token !== '')
      .sort((a, b) => b.length - a.length)
      .map((token) => token.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
    pattern = alternatives.length === 0 ? /(?!)/gu : new RegExp(alternatives.join('|'), 'gu');
    patterns.set(tokens, pattern);
  }
  return pattern;
}

/** Shapes of control tokens in common vocabularies, for callers without the vocabulary at hand. */
export const commonControlTokens: RegExp =
  /<\|[^|<>\s]{1,64}\|>|<\uff5c[^\uff5c<>]{1,64}\uff5c>|<\/?(?:s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn|end_of_utterance|tool_call|tool_response|think)>|\[\/?(?:INST|THINK|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]/gu;
