// `slmbench extract`: JSONL in on standard input, one JSON line out per answer.
import { createInterface } from 'node:readline';
import { extractLines } from '../app/extract-lines.ts';

export async function extractCommand(kind: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const read of extractLines(lines, kind)) process.stdout.write(`${JSON.stringify(read)}\n`);
}
