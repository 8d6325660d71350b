// Replays a recorded trace: when requests came, how long their prompts were and how long their answers.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../../core/digest.ts';
import { messageOf, ToolError } from '../../../core/errors.ts';
import type { Backend } from '../../../core/ports/backend.ts';
import { sizedTextMaker, syntheticRequest } from './synthetic-workload.ts';
import type { Workload } from './workload.ts';

/** Own names, and those of the Mooncake traces. */
const lineSchema = z.union([
  z.strictObject({
    atMs: z.number().nonnegative(),
    promptTokens: z.number().int().positive(),
    outputTokens: z.number().int().positive(),
    prompt: z.string().optional(),
  }),
  z.looseObject({
    timestamp: z.number().nonnegative(),
    input_length: z.number().int().positive(),
    output_length: z.number().int().positive(),
  }),
]);

export interface TraceEntry {
  readonly atMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly prompt: string | null;
}

/** @throws ToolError `data` with the line that is wrong */
export function parseTrace(text: string, file: string): readonly TraceEntry[] {
  const entries: TraceEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const location = { file, line: index + 1 };
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new ToolError('data', `the trace line is not JSON: ${messageOf(cause)}`, { location, cause });
    }
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) {
      throw new ToolError('data', 'the trace line has not the expected fields', {
        location,
        hint: 'expected {"atMs": 0, "promptTokens": 100, "outputTokens": 50} or {"timestamp", "input_length", "output_length"}',
      });
    }
    const entry = parsed.data;
    if ('atMs' in entry && typeof entry.atMs === 'number') {
      const own = entry as { atMs: number; promptTokens: number; outputTokens: number; prompt?: string };
      entries.push({ atMs: own.atMs, promptTokens: own.promptTokens, outputTokens: own.outputTokens, prompt: own.prompt ?? null });
    } else {
      const other = entry as { timestamp: number; input_length: number; output_length: number };
      entries.push({ atMs: other.timestamp, promptTokens: other.input_length, outputTokens: other.output_length, prompt: null });
    }
  }
  if (entries.length === 0) throw new ToolError('data', `the trace ${file} has no requests`);
  const sorted = entries.toSorted((a, b) => a.atMs - b.atMs);
  const firstMs = sorted[0]!.atMs;
  return sorted.map((entry) => ({ ...entry, atMs: entry.atMs - firstMs }));
}

export interface TraceInput {
  readonly path: string;
  readonly backend: Backend;
  readonly seed: number;
  /** 2 replays twice as fast. @default 1 */
  readonly speed?: number | undefined;
}

/** @throws ToolError `not-found` or `data` */
export async function traceWorkload({ path, backend, seed, speed = 1 }: TraceInput): Promise<Workload> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ToolError('not-found', `the trace ${path} cannot be read: ${messageOf(cause)}`, { cause });
  });
  const entries = parseTrace(text, basename(path));
  const make = await sizedTextMaker(backend, seed);
  return {
    facts: {
      kind: 'trace',
      name: basename(path),
      digest: sha256Hex(text),
      prompts: entries.length,
      promptTokens: null,
      outputTokens: Math.max(...entries.map((entry) => entry.outputTokens)),
      uniquePrefix: true,
      fixedLength: true,
    },
    length: entries.length,
    offsetsMs: entries.map((entry) => entry.atMs / speed),
    prepare: async (count, salt) => {
      const requests = [];
      for (const [index, entry] of entries.slice(0, count).entries()) {
        const sized =
          entry.prompt === null ? await make(entry.promptTokens, seed, `${salt} ${index}`) : { text: entry.prompt, tokens: null };
        requests.push(
          syntheticRequest(
            backend,
            sized.text,
            sized.tokens,
            entry.outputTokens,
            `trace ${index} ${entry.promptTokens} ${entry.outputTokens}`,
          ),
        );
      }
      return requests;
    },
  };
}
