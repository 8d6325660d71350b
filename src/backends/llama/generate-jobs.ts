// Generates text for several requests at once: each step evaluates one token of every running request and parts of new prompts.
import type { FinishReason } from '../../core/generation.ts';
import type { EngineToken, SamplingSettings } from './engine-protocol.ts';
import { summariseRow, topIndices } from './log-softmax.ts';
import type { LoadedModel, LogitsRows } from './open-model.ts';
import { type PrefixCache, trunkCount } from './prefix-cache.ts';
import { createSampler, type Sampler } from './sampler.ts';
import { createStopMatcher, type StopMatcher } from './stop-matcher.ts';

export interface FinishedGeneration {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly tokens: readonly EngineToken[];
  readonly cachedTokens: number;
  readonly computedTokens: number;
  readonly startedAtMs: number;
  readonly prefillMs: number;
  readonly decodeMs: number;
}

export interface GenerateJob {
  readonly prompt: readonly number[];
  readonly sampling: SamplingSettings;
  readonly onText: ((text: string, timeMs: number) => void) | null;
  readonly resolve: (finished: FinishedGeneration) => void;
  readonly reject: (error: unknown) => void;
  cancelled: boolean;
}

interface Slot {
  readonly job: GenerateJob;
  readonly sequence: number;
  readonly sampler: Sampler;
  readonly stops: StopMatcher;
  readonly decoder: TextDecoder;
  readonly startedAtMs: number;
  readonly tokens: EngineToken[];
  /** Tokens of this sequence that the KV cache holds. */
  position: number;
  /** The last sampled token, which the next step evaluates. */
  pending: number | null;
  /** Where this slot's logits will be: their row, and the place of their token in the batch. */
  row: number;
  index: number;
  text: string;
  cachedTokens: number;
  computedTokens: number;
  prefilledAtMs: number;
}

export interface Generator {
  readonly active: number;
  /** KV cells promised to running requests. */
  readonly reservedCells: number;
  /** Starts a request if a slot and enough cells are free. */
  readonly admit: (job: GenerateJob) => boolean;
  /** Evaluates one batch for all running requests. */
  readonly step: () => void;
  /** Ends every running request with this error. */
  readonly abort: (error: unknown) => void;
}

export function createGenerator(model: LoadedModel, cache: PrefixCache, parallel: number, reuse: boolean): Generator {
  const { llama } = model.native;
  let slots: Slot[] = [];
  const firstSequence = model.sharesPrefixes ? trunkCount : 0;
  const needOf = ({ prompt, sampling }: GenerateJob) => prompt.length + sampling.maxTokens;
  const reserved = () => slots.reduce((sum, { job }) => sum + needOf(job), 0);
  const release = (slot: Slot) => {
    slot.sampler.free();
    llama.memory_seq_rm(model.memory, slot.sequence, -1, -1);
    slots = slots.filter((other) => other !== slot);
  };
  const finish = (slot: Slot, finishReason: FinishReason) => {
    show(slot, slot.stops.push(endOfText(slot)) + slot.stops.flush());
    release(slot);
    const endedAtMs = performance.now();
    slot.job.resolve({
      text: slot.text,
      finishReason: slot.stops.found === null ? finishReason : 'stop-string',
      tokens: slot.tokens,
      cachedTokens: slot.cachedTokens,
      computedTokens: slot.computedTokens,
      startedAtMs: slot.startedAtMs,
      prefillMs: slot.prefilledAtMs - slot.startedAtMs,
      decodeMs: endedAtMs - slot.prefilledAtMs,
    });
  };
  const endTokens = lazyEndTokens(model);
  const take = (slot: Slot, rows: LogitsRows) => {
    const logits = rows(slot.row);
    if (slot.pending === null) {
      slot.prefilledAtMs = performance.now();
      if (reuse) cache.learn([{ tokens: slot.job.prompt, sequence: slot.sequence }]);
    }
    if (slot.job.sampling.ignoreEndOfText) for (const token of endTokens()) logits[token] = -Infinity;
    const id = slot.sampler.next(slot.index, logits);
    if (model.vocabulary.isEndOfGeneration(id)) return finish(slot, 'stop');
    const text = slot.decoder.decode(model.vocabulary.bytesOf(id), { stream: true });
    slot.tokens.push(describeToken(model, slot, id, text, logits));
    show(slot, slot.stops.push(text));
    if (slot.stops.found !== null) return finish(slot, 'stop-string');
    if (slot.tokens.length >= slot.job.sampling.maxTokens) return finish(slot, 'length');
    slot.pending = id;
  };
  return {
    get active() {
      return slots.length;
    },
    get reservedCells() {
      return reserved();
    },
    admit: (job) => {
      if (slots.length >= parallel || (slots.length > 0 && reserved() + needOf(job) > model.cells)) return false;
      const used = new Set(slots.map(({ sequence }) => sequence));
      const sequence = [...Array(parallel).keys()].map((index) => firstSequence + index).find((id) => !used.has(id))!;
      const sampler = createSampler(model, job.sampling);
      cache.shrinkTo(Math.max(0, model.cells - reserved() - needOf(job)));
      const match = reuse ? cache.match(job.prompt, job.prompt.length - 1) : null;
      if (match !== null) llama.memory_seq_cp(model.memory, match.sequence, sequence, 0, match.length);
      slots.push(newSlot(job, sequence, sampler, match?.length ?? 0));
      return true;
    },
    step: () => {
      for (const slot of slots.filter(({ job }) => job.cancelled)) finish(slot, 'cancelled');
      const ready = fillStep(model, slots);
      if (model.batch.size === 0) return;
      const rows = model.decode();
      for (const slot of ready) take(slot, rows);
    },
    abort: (error) => {
      for (const slot of slots) {
        slot.sampler.free();
        slot.job.reject(error);
      }
      slots = [];
    },
  };
}

/** Tokens that end an answer; looked up in the whole vocabulary when first needed. */
function lazyEndTokens({ vocabulary }: LoadedModel): () => readonly number[] {
  let found: readonly number[] | undefined;
  return () => {
    found ??= [...Array(vocabulary.size).keys()].filter((token) => vocabulary.isEndOfGeneration(token));
    return found;
  };
}

function newSlot(job: GenerateJob, sequence: number, sampler: Sampler, cachedTokens: number): Slot {
  const now = performance.now();
  return {
    job,
    sequence,
    sampler,
    stops: createStopMatcher(job.sampling.stop),
    decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
    startedAtMs: now,
    tokens: [],
    position: cachedTokens,
    pending: null,
    row: -1,
    index: -1,
    text: '',
    cachedTokens,
    computedTokens: 0,
    prefilledAtMs: now,
  };
}

/** Running requests first, then prompts in order of arrival. Returns the slots that get logits. */
function fillStep(model: LoadedModel, slots: readonly Slot[]): Slot[] {
  const { batch } = model;
  const ready: Slot[] = [];
  for (const slot of slots) {
    if (slot.pending === null || batch.size === batch.capacity) continue;
    slot.index = batch.size;
    slot.row = batch.add(slot.pending, slot.position++, [slot.sequence], true);
    slot.computedTokens++;
    ready.push(slot);
  }
  for (const slot of slots) {
    const { prompt } = slot.job;
    while (slot.pending === null && slot.position < prompt.length && batch.size < batch.capacity) {
      const last = slot.position === prompt.length - 1;
      const row = batch.add(prompt[slot.position]!, slot.position, [slot.sequence], last);
      slot.position++;
      slot.computedTokens++;
      if (last) {
        slot.row = row;
        slot.index = batch.size - 1;
        ready.push(slot);
      }
    }
  }
  return ready;
}

function show(slot: Slot, text: string): void {
  if (text === '') return;
  slot.text += text;
  slot.job.onText?.(text, performance.now() - slot.startedAtMs);
}

/** Bytes of a character that the output broke off in the middle of are left out. */
function endOfText(slot: Slot): string {
  return slot.decoder.decode().replace(/\ufffd+$/u, '');
}

function describeToken(model: LoadedModel, slot: Slot, id: number, text: string, logits: Float32Array): EngineToken {
  const timeMs = performance.now() - slot.startedAtMs;
  const { topLogprobs } = slot.job.sampling;
  if (topLogprobs === null) return { id, text, timeMs };
  const { logSumExp } = summariseRow(logits);
  const top = topIndices(logits, topLogprobs).map((token) => ({
    text: model.vocabulary.bytesOf(token).toString('utf8'),
    logprob: logits[token]! - logSumExp,
  }));
  return { id, text, timeMs, logprob: logits[id]! - logSumExp, top };
}
