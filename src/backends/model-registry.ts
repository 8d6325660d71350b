// Finds models by name among the built-in entries and the user's own.
import { ToolError } from '../core/errors.ts';
import type { ModelEntry } from '../core/model.ts';
import { suggestName } from '../core/names.ts';
import { builtinModels } from './builtin-models.ts';

export interface ModelRegistry {
  /** User entries first; one of the same name replaces the built-in one. */
  readonly entries: readonly ModelEntry[];
  /** Every name and alias. */
  readonly names: ReadonlySet<string>;
  /** @throws ToolError `not-found` with the nearest name */
  readonly find: (name: string) => ModelEntry;
}

/** The registry with a user's entries. @throws ToolError `config` when two user entries share a name */
export function modelRegistry(userEntries: readonly ModelEntry[] = []): ModelRegistry {
  const byName = new Map<string, ModelEntry>();
  for (const entry of userEntries) {
    for (const name of namesOf(entry)) {
      if (byName.has(name)) throw new ToolError('config', `two models are called "${name}"`, { hint: 'one name is one content' });
      byName.set(name, entry);
    }
  }
  const builtin = builtinModels.filter((entry) => !byName.has(entry.name.toLowerCase()));
  for (const entry of builtin) for (const name of namesOf(entry)) if (!byName.has(name)) byName.set(name, entry);
  const names = new Set(byName.keys());
  return {
    entries: [...userEntries, ...builtin],
    names,
    find: (name) => {
      const entry = byName.get(name.toLowerCase());
      if (entry !== undefined) return entry;
      throw new ToolError('not-found', `unknown model "${name}"`, { hint: suggestName(name, names) });
    },
  };
}

function namesOf(entry: ModelEntry): string[] {
  return [entry.name, ...entry.aliases].map((name) => name.toLowerCase());
}
