// Which models fit this machine, by quantisation and context, from the registry alone: nothing is downloaded.
import { estimateMemoryBytes, instancesThatFit, parseParameters, typicalBitsPerWeight } from '../../backends/estimate-memory.ts';
import { modelRegistry } from '../../backends/model-registry.ts';
import { resolveModel } from '../../backends/resolve-model.ts';
import { ToolError } from '../../core/errors.ts';
import type { ModelEntry } from '../../core/model.ts';
import { suggestName } from '../../core/names.ts';
import type { GgufFacts } from '../../formats/gguf-facts.ts';
import { availableMemoryBytes, usableMemoryBytes } from '../../profiler/host-facts.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

export type Fit = 'fits' | 'tight' | 'too large';

export interface FitContext {
  readonly contextTokens: number;
  readonly memoryBytes: number;
  readonly fit: Fit;
}

export interface FitRow {
  readonly model: string;
  readonly quantisation: string;
  /** True for the quantisation that the registry fetches. */
  readonly isListed: boolean;
  readonly sizeBytes: number;
  /** `file`: the header of the file at hand; `estimate`: parameters and typical figures. */
  readonly basis: 'file' | 'estimate';
  readonly contexts: readonly FitContext[];
  /** Largest of the contexts that fits; null when none does. */
  readonly largestContext: number | null;
  /** Copies that fit at the smallest context. */
  readonly instances: number;
  readonly gated: boolean;
}

export interface FitReport {
  readonly memoryBytes: number;
  readonly availableBytes: number;
  readonly rows: readonly FitRow[];
}

export interface FitRequest {
  /** Names; empty: the whole registry. */
  readonly models: readonly string[];
  /** Quantisations beside the listed one. */
  readonly quantisations: readonly string[];
  readonly contexts: readonly number[];
  /** Judge for this much memory. @default what this machine has */
  readonly memoryBytes: number | null;
}

/** Share of memory that a model may take and the system still work well. */
const comfortable = 0.75;
const tightest = 0.9;
const baseBytes = 240 * 2 ** 20;
/** Attention cache per token of a model with 1e9 parameters; grows with the root of size. Real ones lie between a quarter and twice this. */
const cacheBytesPerToken = 120 * 1024;

interface Sized {
  readonly sizeBytes: number;
  readonly basis: FitRow['basis'];
  readonly memoryAt: (contextTokens: number) => number;
}

function fitOf(bytes: number, memoryBytes: number): Fit {
  return bytes <= comfortable * memoryBytes ? 'fits' : bytes <= tightest * memoryBytes ? 'tight' : 'too large';
}

/** From parameters and typical bits; the attention cache is a guess by size. */
function estimated(parameters: number, weightBytes: number): Sized {
  const perToken = cacheBytesPerToken * Math.sqrt(parameters / 1e9);
  return {
    sizeBytes: weightBytes,
    basis: 'estimate',
    memoryAt: (contextTokens) => Math.round(weightBytes * 1.05 + perToken * contextTokens + baseBytes),
  };
}

function fromFile(gguf: GgufFacts): Sized {
  return { sizeBytes: gguf.sizeBytes, basis: 'file', memoryAt: (contextTokens) => estimateMemoryBytes(gguf, contextTokens) };
}

/** The same model in another quantisation: its shape is known, its weights are scaled. */
function requantised(gguf: GgufFacts, bits: number): Sized {
  const weightBytes = (gguf.parameters * bits) / 8;
  return {
    sizeBytes: Math.round(weightBytes),
    basis: 'estimate',
    memoryAt: (contextTokens) => Math.round(estimateMemoryBytes(gguf, contextTokens) - gguf.tensorBytes + weightBytes),
  };
}

function sizedOf(entry: ModelEntry, gguf: GgufFacts | null, quantisation: string): Sized | null {
  const isListed = quantisation === entry.quantisation;
  if (gguf !== null && isListed) return fromFile(gguf);
  const bits = typicalBitsPerWeight[quantisation.toUpperCase()];
  if (gguf !== null && bits !== undefined) return requantised(gguf, bits);
  const parameters = parseParameters(entry.parameters);
  if (parameters === null) return null;
  if (isListed && entry.sizeBytes !== undefined) return estimated(parameters, entry.sizeBytes);
  return bits === undefined ? null : estimated(parameters, Math.round((parameters * bits) / 8));
}

/** The header of a file that is here already, found as a run finds it; never fetches one. */
async function headerOf(entry: ModelEntry, { sources, userModels }: Workspace): Promise<GgufFacts | null> {
  try {
    return (await resolveModel(entry.name, { ...sources, userEntries: userModels, offline: true })).gguf;
  } catch {
    return null;
  }
}

/** @throws ToolError `usage` for a name that is no known quantisation */
function knownQuantisations(names: readonly string[]): string[] {
  const known = Object.keys(typicalBitsPerWeight);
  return names.map((name) => {
    const upper = name.toUpperCase();
    if (known.includes(upper)) return upper;
    throw new ToolError('usage', `unknown quantisation "${name}"`, { hint: suggestName(name, known) });
  });
}

function rowOf(entry: ModelEntry, quantisation: string, sized: Sized, contexts: readonly number[], memoryBytes: number): FitRow {
  const possible = contexts.filter((context) => context <= entry.contextLength);
  const usable = possible.length > 0 ? possible : [entry.contextLength];
  const judged = usable.map((contextTokens): FitContext => {
    const bytes = sized.memoryAt(contextTokens);
    return { contextTokens, memoryBytes: bytes, fit: fitOf(bytes, memoryBytes) };
  });
  const fitting = judged.filter((context) => context.fit === 'fits').map((context) => context.contextTokens);
  return {
    model: entry.name,
    quantisation,
    isListed: quantisation === entry.quantisation,
    sizeBytes: sized.sizeBytes,
    basis: sized.basis,
    contexts: judged,
    largestContext: fitting.length === 0 ? null : Math.max(...fitting),
    instances: instancesThatFit(judged[0]!.memoryBytes, memoryBytes),
    gated: entry.gated,
  };
}

/** @throws ToolError `not-found` for an unknown model, `usage` for an unknown quantisation, with the nearest name */
export async function fitModels(request: FitRequest): Promise<FitReport> {
  const asked = knownQuantisations(request.quantisations);
  const workspace = await openWorkspace({ offline: true });
  const registry = modelRegistry(workspace.userModels);
  const entries = request.models.length > 0 ? request.models.map((name) => registry.find(name)) : registry.entries;
  const memoryBytes = request.memoryBytes ?? usableMemoryBytes();
  const contexts = request.contexts.toSorted((a, b) => a - b);
  const rows: FitRow[] = [];
  for (const entry of entries) {
    const gguf = await headerOf(entry, workspace);
    const quantisations = [entry.quantisation, ...asked.filter((name) => name !== entry.quantisation.toUpperCase())];
    for (const quantisation of quantisations) {
      const sized = sizedOf(entry, gguf, quantisation);
      if (sized !== null) rows.push(rowOf(entry, quantisation, sized, contexts, memoryBytes));
    }
  }
  return { memoryBytes, availableBytes: availableMemoryBytes(), rows };
}
