// The tutorial's models: where Ollama runs on this machine and has one, that copy is measured, as the tutorial does.
import type { ModelEntry } from '../core/model.ts';

const names = new Set(['phi3-mini', 'qwen2.5-3b', 'gemma2-2b', 'llama3.2-3b', 'smollm2-1.7b']);

/** The tag under which Ollama would serve this entry; undefined for entries that come from their file always. */
export function ollamaFirstTag(entry: ModelEntry): string | undefined {
  return names.has(entry.name) ? entry.ollamaTag : undefined;
}

/** Names of the entries that Ollama has now; empty, after a moment, where none runs. */
export async function entriesInOllama(entries: readonly ModelEntry[]): Promise<readonly string[]> {
  const wanted = entries.filter((entry) => ollamaFirstTag(entry) !== undefined);
  if (wanted.length === 0) return [];
  const { tagsInOllama } = await import('./ollama/describe-ollama.ts');
  const has = await tagsInOllama();
  return wanted.filter((entry) => has(ollamaFirstTag(entry)!)).map(({ name }) => name);
}
