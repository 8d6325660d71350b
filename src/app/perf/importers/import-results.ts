// Finds out which tool wrote a result file and reads it.
import { readFile } from 'node:fs/promises';
import { messageOf, ToolError } from '../../../core/errors.ts';
import { isAiperf, readAiperf } from './aiperf.ts';
import { isGuidellm, readGuidellm } from './guidellm.ts';
import { type ImportedPoint, type ImportedResults, importedResultsSchema } from './imported-results.ts';
import { isLlamaBench, readLlamaBench } from './llama-bench.ts';
import { isVllm, readVllm } from './vllm.ts';

const importers: readonly {
  readonly tool: ImportedResults['tool'];
  readonly accepts: (value: unknown) => boolean;
  readonly read: (value: unknown) => ImportedPoint[];
}[] = [
  { tool: 'llama-bench', accepts: isLlamaBench, read: readLlamaBench },
  { tool: 'vllm', accepts: isVllm, read: readVllm },
  { tool: 'guidellm', accepts: isGuidellm, read: readGuidellm },
  { tool: 'aiperf', accepts: isAiperf, read: readAiperf },
];

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // llama-bench -o jsonl
    try {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new ToolError('data', `${file} is not JSON: ${messageOf(cause)}`, { cause });
    }
  }
}

/** @throws ToolError `not-found`, or `data` for a file that none of the tools wrote */
export async function importResults(file: string): Promise<ImportedResults> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ToolError('not-found', `${file} cannot be read: ${messageOf(cause)}`, { cause });
  });
  const value = parse(text, file);
  const importer = importers.find(({ accepts }) => accepts(value));
  if (importer === undefined) {
    throw new ToolError('data', `${file} is no result file that is known`, {
      hint: 'known: llama-bench -o json, vllm bench serve --save-result, guidellm benchmarks.json, aiperf profile_export_aiperf.json',
    });
  }
  return importedResultsSchema.parse({ schema: 'slmbench/imported-performance/1', tool: importer.tool, points: importer.read(value) });
}
