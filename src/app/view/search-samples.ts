// Text search over the rows of a run: one pass over the file, lines that cannot match are never parsed.
import type { PredictionRow } from '../../core/prediction.ts';
import { rowHolds } from '../../report/viewer/sample-row.ts';
import { readNewLines } from './line-tail.ts';
import type { SampleIndex } from './sample-index.ts';

/** Slots whose row holds the text; the last few searches are kept until the file grows. */
export class SampleSearch {
  readonly #index: SampleIndex;
  readonly #kept = new Map<string, ReadonlySet<number>>();
  #version = -1;

  constructor(index: SampleIndex) {
    this.#index = index;
  }

  async find(text: string): Promise<ReadonlySet<number>> {
    if (this.#version !== this.#index.version) {
      this.#kept.clear();
      this.#version = this.#index.version;
    }
    const key = text.toLowerCase();
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const found = await this.#scan(key);
    if (this.#kept.size >= 8) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, found);
    return found;
  }

  async #scan(text: string): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    // Rows are written by JSON.stringify: the text as it stands inside a JSON string must occur in the line. Escapes such as
    // \u001b are lower-case already, so the lower-case line holds the lower-case needle.
    const needle = JSON.stringify(text).slice(1, -1);
    const index = this.#index;
    await readNewLines(index.path, 0, (line, offset) => {
      if (!line.toLowerCase().includes(needle)) return;
      try {
        const row = JSON.parse(line) as PredictionRow;
        const slot = index.slots.slotOf(row);
        if (slot !== -1 && index.isCurrent(slot, offset) && rowHolds(row, text)) found.add(slot);
      } catch {
        // A damaged line is counted by the index.
      }
    });
    return found;
  }
}
