// Scores many (context, continuation) pairs in few batches: one prefix tree per batch, logits only where a token is scored.
import { ToolError } from '../../core/errors.ts';
import type { TokenPair } from './continuation-tokens.ts';
import type { ScoredChoice } from './engine-protocol.ts';
import { summariseRow } from './log-softmax.ts';
import { cpuMsSince, type LoadedModel, type LogitsRows } from './open-model.ts';
import { type PrefixCache, trunkCount } from './prefix-cache.ts';
import { createPrefixTree, type PrefixTree, type TreeNode } from './prefix-tree.ts';

/** One request: all its choices. */
export interface ScoreJob {
  readonly pairs: readonly TokenPair[];
  readonly results: { logprobs: Float64Array; greedy: boolean }[];
  /** Next pair that is not yet in a batch. */
  cursor: number;
  computedTokens: number;
  /** This job's share of the batches it was part of, by computed tokens. */
  computeMs: number;
  readonly resolve: (choices: readonly ScoredChoice[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits {
  /** New tokens at which a batch counts as full. */
  readonly tokens: number;
  readonly cells: number;
  readonly firstSequence: number;
  readonly sequences: number;
  readonly reuse: boolean;
}

interface BatchedPair {
  readonly job: ScoreJob;
  readonly index: number;
}

interface ScoreBatch {
  readonly tree: PrefixTree;
  readonly pairs: readonly BatchedPair[];
}

/** Evaluates one batch from the head of the queue. Jobs that are complete are resolved and leave the queue. */
export function runScoreBatch(model: LoadedModel, cache: PrefixCache, queue: ScoreJob[], limits: BatchLimits): void {
  const batch = fillBatch(cache, queue, limits);
  const jobs = new Set(batch.pairs.map(({ job }) => job));
  const computedBefore = new Map([...jobs].map((job) => [job, job.computedTokens]));
  const startedAtMs = performance.now();
  cache.shrinkTo(limits.cells - batch.tree.size);
  evaluate(model, cache, batch, limits);
  shareTime(computedBefore, performance.now() - startedAtMs);
  for (const job of jobs) {
    if (job.cursor < job.pairs.length) continue;
    queue.splice(queue.indexOf(job), 1);
    finish(job);
  }
}

/** A batch serves many questions at once: what one of them cost is its share of the computed tokens, not the whole batch. */
function shareTime(computedBefore: ReadonlyMap<ScoreJob, number>, batchMs: number): void {
  let total = 0;
  for (const [job, before] of computedBefore) total += job.computedTokens - before;
  for (const [job, before] of computedBefore)
    job.computeMs += total === 0 ? batchMs / computedBefore.size : (batchMs * (job.computedTokens - before)) / total;
}

/** Whole jobs while they fit; of a job that is too large alone, as many choices as fit. */
function fillBatch(cache: PrefixCache, queue: readonly ScoreJob[], limits: BatchLimits): ScoreBatch {
  const tree = createPrefixTree();
  const pairs: BatchedPair[] = [];
  let newTokens = 0;
  for (const job of queue) {
    const matched = limits.reuse ? matchedLength(cache, job) : 0;
    const cost = costOfJob(tree, job, matched);
    const fits = newTokens + cost <= limits.tokens && pairs.length + job.pairs.length - job.cursor <= limits.sequences;
    if (pairs.length > 0 && !fits) break;
    while (job.cursor < job.pairs.length) {
      const { context, continuation } = job.pairs[job.cursor]!;
      const { nodes } = tree.costOf(context, continuation);
      const full = tree.size + nodes > limits.cells || pairs.length >= limits.sequences;
      if (full && pairs.length > 0) break;
      tree.addSequence(pairs.length, context, continuation);
      pairs.push({ job, index: job.cursor++ });
    }
    newTokens += cost;
    if (job.cursor < job.pairs.length || !limits.reuse || newTokens >= limits.tokens) break;
  }
  return { tree, pairs };
}

function matchedLength(cache: PrefixCache, job: ScoreJob): number {
  const { context } = job.pairs[job.cursor]!;
  return cache.match(context, context.length - 1)?.length ?? 0;
}

/** New tokens of a job: of its first choice what neither the tree nor the cache holds, of the others the parts after the context. */
function costOfJob(tree: PrefixTree, job: ScoreJob, matched: number): number {
  const first = job.pairs[job.cursor]!;
  const length = first.context.length + first.continuation.length - 1;
  const known = Math.max(matched, length - tree.costOf(first.context, first.continuation).nodes);
  let cost = length - known;
  for (let index = job.cursor + 1; index < job.pairs.length; index++) {
    const { context, continuation } = job.pairs[index]!;
    cost += context === first.context ? continuation.length - 1 : context.length + continuation.length - 1;
  }
  return cost;
}

function evaluate(model: LoadedModel, cache: PrefixCache, { tree, pairs }: ScoreBatch, limits: BatchLimits): void {
  const { llama } = model.native;
  const leaves = tree.assignLeaves();
  const resident = limits.reuse ? forkKeptPrefixes(model, cache, tree, limits.firstSequence) : new Array<number>(leaves).fill(0);
  let waiting: TreeNode[] = [];
  const flush = () => {
    if (model.batch.size === 0) return;
    const rows = model.decode();
    readRows(model, rows, waiting, pairs);
    waiting = [];
  };
  for (const node of tree.walk()) {
    if (node.position < resident[node.leaves[0]!]!) continue;
    const wantsLogits = node.reads.length > 0;
    if (model.batch.size === model.batch.capacity || (wantsLogits && model.batch.outputs === model.maxOutputs)) flush();
    const sequences = node.leaves.map((leaf) => limits.firstSequence + leaf);
    model.batch.add(node.token, node.position, sequences, wantsLogits);
    if (wantsLogits) waiting.push(node);
    pairs[firstPairBelow(node)]!.job.computedTokens++;
  }
  flush();
  if (limits.reuse) cache.learn(contextsOf(tree, pairs, limits.firstSequence));
  for (let leaf = 0; leaf < leaves; leaf++) llama.memory_seq_rm(model.memory, limits.firstSequence + leaf, -1, -1);
}

/** Gives each leaf the kept prefix that its path begins with. Returns the number of tokens each leaf thus has already. */
function forkKeptPrefixes(model: LoadedModel, cache: PrefixCache, tree: PrefixTree, firstSequence: number): number[] {
  const resident: number[] = [];
  const path: number[] = [];
  const firstReads: number[] = [];
  for (const node of tree.walk()) {
    path.length = node.position;
    firstReads.length = node.position;
    path.push(node.token);
    const inherited = firstReads[node.position - 1] ?? Infinity;
    firstReads.push(node.reads.length > 0 ? Math.min(inherited, node.position) : inherited);
    if (node.children.size > 0) continue;
    const match = cache.match(path, firstReads[node.position]!);
    if (match !== null) {
      model.native.llama.memory_seq_cp(model.memory, match.sequence, firstSequence + resident.length, 0, match.length);
    }
    resident.push(match?.length ?? 0);
  }
  return resident;
}

function readRows(model: LoadedModel, rows: LogitsRows, nodes: readonly TreeNode[], pairs: readonly BatchedPair[]): void {
  const started = process.cpuUsage();
  for (const [row, node] of nodes.entries()) {
    const logits = rows(row);
    const { logSumExp, argmax } = summariseRow(logits);
    for (const { sequence, place, nextToken } of node.reads) {
      const { job, index } = pairs[sequence]!;
      const result = job.results[index]!;
      result.logprobs[place] = logits[nextToken]! - logSumExp;
      if (argmax !== nextToken) result.greedy = false;
    }
  }
  model.counters.readCpuMs += cpuMsSince(started);
}

/** The pair on whose account a shared node is booked. */
function firstPairBelow(node: TreeNode): number {
  let current = node;
  while (current.reads.length === 0) current = current.children.values().next().value!;
  return current.reads[0]!.sequence;
}

function contextsOf(tree: PrefixTree, pairs: readonly BatchedPair[], firstSequence: number) {
  const leafOf = new Map<number, number>();
  for (const node of tree.walk()) {
    for (const { sequence, place } of node.reads) if (place === 0) leafOf.set(sequence, node.leaves[0]!);
  }
  const seen = new Set<readonly number[]>();
  return pairs.flatMap(({ job, index }, pair) => {
    const { context } = job.pairs[index]!;
    if (seen.has(context)) return [];
    seen.add(context);
    return [{ tokens: context, sequence: firstSequence + leafOf.get(pair)! }];
  });
}

function finish(job: ScoreJob): void {
  const choices = job.results.map(({ logprobs, greedy }) => {
    const tokenLogprobs = [...logprobs];
    return { logprob: tokenLogprobs.reduce((sum, value) => sum + value, 0), tokens: tokenLogprobs.length, greedy, tokenLogprobs };
  });
  if (choices.some(({ logprob }) => Number.isNaN(logprob))) {
    job.reject(new ToolError('backend', 'the model gave logits that are not numbers; the file or the compute backend is broken'));
    return;
  }
  job.resolve(choices);
}

/** Sequence ids that scoring may use: those after the kept prefixes and the generation slots. */
export function scoreSequences(model: LoadedModel, parallel: number): { readonly firstSequence: number; readonly sequences: number } {
  if (!model.sharesPrefixes) return { firstSequence: parallel, sequences: 1 };
  const firstSequence = trunkCount + parallel;
  return { firstSequence, sequences: model.maxSequences - firstSequence };
}
