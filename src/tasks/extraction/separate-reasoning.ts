// Takes reasoning off before an answer is read, so that drafts inside it are never graded.
import type { ExtractionFacts } from './extraction.ts';

/** Opening and closing marks that models put around reasoning. Compared without case. */
export const reasoningMarks: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<thoughts>', '</thoughts>'],
  ['<reasoning>', '</reasoning>'],
  ['<reason>', '</reason>'],
  ['<reflection>', '</reflection>'],
  ['<scratchpad>', '</scratchpad>'],
  ['<analysis>', '</analysis>'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|channel>thought', '<channel|>'],
];

const endMarks = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|end_of_text|>',
  '<|endoftext|>',
  '<end_of_turn>',
  '<|end|>',
  '<|return|>',
  '</s>',
  '<eos>',
];
const wrappers =
  /^(?:<\|(?:begin_of_solution|start_response|START_RESPONSE|start_of_turn|im_start)\|>|<s>|<bos>)\s*|<\|(?:end_of_solution|end_response|END_RESPONSE)\|>/g;

export interface SeparatedOutput {
  readonly answer: string;
  /** The answer with the indentation of its first line kept, as a continued function body needs it. */
  readonly indented: string;
  readonly reasoning: string | null;
  /** True: reasoning began and never ended, or nothing but reasoning was written. */
  readonly thinkingOnly: boolean;
}

type Separated = Omit<SeparatedOutput, 'indented'>;

/** Text after the last closing mark; an opening mark at the start that never closes leaves no answer. */
export function separateReasoning(output: string, facts: ExtractionFacts = {}): SeparatedOutput {
  const own = facts.reasoning?.trim() ? facts.reasoning : null;
  if (own === null && !mayHoldMarks(output, facts))
    return { answer: output.trim(), indented: output, reasoning: null, thinkingOnly: false };
  const inline = separateChannels(output) ?? separateTags(output, facts);
  const indented = cutAtEndMark(inline.answer).replace(wrappers, '');
  const answer = indented.trim();
  const reasoning = own === null ? inline.reasoning : inline.reasoning === null ? own : `${own}\n${inline.reasoning}`;
  return { answer, indented, reasoning, thinkingOnly: answer === '' && (reasoning !== null || inline.thinkingOnly) };
}

function mayHoldMarks(output: string, facts: ExtractionFacts): boolean {
  return (
    output.includes('<') ||
    output.includes('[') ||
    output.includes('◁') ||
    facts.thinkTags !== undefined ||
    output.trimStart().startsWith('analysis')
  );
}

/** Harmony-like channels: only the final channel is the answer. */
function separateChannels(output: string): Separated | null {
  const start = output.trimStart();
  if (start.startsWith('analysis')) {
    const bare = output.lastIndexOf('assistantfinal');
    if (bare < 0) return null;
    return { answer: output.slice(bare + 14), reasoning: output.slice(0, bare).trim().slice(8).trim() || null, thinkingOnly: false };
  }
  if (!output.includes('<|channel|>')) return null;
  const at = output.lastIndexOf('<|channel|>final');
  const reasoning = stripControl(at < 0 ? output : output.slice(0, at)).replace(/^(?:assistant)?\s*(?:analysis|commentary)\s*/, '');
  if (at < 0) return { answer: '', reasoning: reasoning || null, thinkingOnly: true };
  const body = output.slice(at + 16);
  const message = body.indexOf('<|message|>');
  return { answer: message < 0 ? body : body.slice(message + 11), reasoning: reasoning || null, thinkingOnly: false };
}

function stripControl(text: string): string {
  return text.replace(/<\|[a-z_]{1,20}\|>/g, ' ').trim();
}

function separateTags(output: string, facts: ExtractionFacts): Separated {
  const lower = output.toLowerCase();
  const marks = facts.thinkTags === undefined ? reasoningMarks : [...reasoningMarks, facts.thinkTags];
  let end = -1;
  let closeStart = -1;
  for (const [, close] of marks) {
    const at = lower.lastIndexOf(close.toLowerCase());
    if (at >= 0 && at + close.length > end) {
      end = at + close.length;
      closeStart = at;
    }
  }
  const answer = end < 0 ? output : output.slice(end);
  const before = end < 0 ? null : withoutOpening(output.slice(0, closeStart), marks).trim() || null;
  const rest = answer.trimStart();
  const opening = openingMark(rest, marks);
  if (opening === undefined) return { answer, reasoning: before, thinkingOnly: end >= 0 && rest === '' };
  const unclosed = rest.slice(opening.length).trim();
  return { answer: '', reasoning: [before, unclosed].filter(Boolean).join('\n') || null, thinkingOnly: true };
}

function openingMark(text: string, marks: readonly (readonly [string, string])[]): string | undefined {
  const head = text.slice(0, 40).toLowerCase();
  return marks.find(([open]) => head.startsWith(open.toLowerCase()))?.[0];
}

function withoutOpening(text: string, marks: readonly (readonly [string, string])[]): string {
  const trimmed = text.trimStart();
  const opening = openingMark(trimmed, marks);
  return opening === undefined ? trimmed : trimmed.slice(opening.length);
}

function cutAtEndMark(text: string): string {
  let answer = text;
  for (const mark of endMarks) {
    const at = answer.indexOf(mark);
    if (at >= 0) answer = answer.slice(0, at).trim() === '' ? answer.slice(at + mark.length) : answer.slice(0, at);
  }
  return answer;
}
