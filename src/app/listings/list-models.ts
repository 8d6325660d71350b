// The models table: what each needs, and, at length, what it is good for.
import { estimateEntryFileBytes, estimateEntryMemoryBytes, instancesThatFit } from '../../backends/estimate-memory.ts';
import { modelRegistry } from '../../backends/model-registry.ts';
import type { ModelEntry } from '../../core/model.ts';
import { dash, formatBytes } from '../../report/format-values.ts';
import type { Workspace } from '../workspace.ts';
import { column, type Listing } from './listing.ts';

const eightGigabytes = 8 * 1024 ** 3;

/** Size of the file; `~` where it follows from parameters and typical bits. */
function sizeText(entry: ModelEntry): string {
  if (entry.sizeBytes !== undefined) return formatBytes(entry.sizeBytes);
  const estimate = estimateEntryFileBytes(entry);
  return estimate === null ? dash : `~${formatBytes(estimate)}`;
}

export function listModels(workspace: Pick<Workspace, 'userModels'>, verbose: boolean): Listing {
  const { entries } = modelRegistry(workspace.userModels);
  const rows = entries.map((entry) => {
    const memory = estimateEntryMemoryBytes(entry);
    const plain = [
      entry.name,
      entry.title,
      entry.provider,
      entry.parameters,
      entry.quantisation,
      String(entry.contextLength),
      sizeText(entry),
      memory === null ? dash : `~${formatBytes(memory)}`,
      entry.ollamaTag ?? dash,
      entry.licence + (entry.gated ? ' (gated)' : ''),
    ];
    if (!verbose) return plain;
    return [
      ...plain,
      memory === null ? dash : String(instancesThatFit(memory, eightGigabytes)),
      entry.strengths ?? dash,
      entry.weaknesses ?? dash,
      entry.bestUse ?? dash,
    ];
  });
  const columns = [
    column('name'),
    column('title'),
    column('provider'),
    column('parameters', true),
    column('quantisation'),
    column('context', true),
    column('file', true),
    column('memory', true),
    column('Ollama tag'),
    column('licence'),
  ];
  const more = [column('fit in 8 GB', true), column('strengths'), column('weaknesses'), column('best use')];
  return { name: 'models', title: 'Models (-m)', columns: verbose ? [...columns, ...more] : columns, rows, json: entries };
}
