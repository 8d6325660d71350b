// The models table: what each needs, and, at length, what it is good for.
import { estimateEntryMemoryBytes, instancesThatFit } from '../../backends/estimate-memory.ts';
import { modelRegistry } from '../../backends/model-registry.ts';
import { dash, formatBytes } from '../../report/format-values.ts';
import type { Workspace } from '../workspace.ts';
import { column, type Listing } from './listing.ts';

const eightGigabytes = 8 * 1024 ** 3;

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
      formatBytes(entry.sizeBytes ?? memory),
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
    column('size', true),
    column('Ollama tag'),
    column('licence'),
  ];
  const more = [column('fit in 8 GB', true), column('strengths'), column('weaknesses'), column('best use')];
  return { name: 'models', title: 'Models (-m)', columns: verbose ? [...columns, ...more] : columns, rows, json: entries };
}
