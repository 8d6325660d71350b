// Exact n-gram counting on integers: ROUGE, BLEU and chrF all ask how many n-grams of one sequence occur in another.

const emptySlot = -1;

/**
 * Gives each distinct n-gram one small id. An n-gram is its (n-1)-gram's id and one more symbol, so no string is built;
 * keys are compared in full, hence a hash collision costs time and never changes a count.
 */
export class NgramTable {
  #slots = new Int32Array(4096).fill(emptySlot);
  #prefixes = new Int32Array(2048);
  #symbols = new Int32Array(2048);
  #used = new Int32Array(2048);
  /** Occurrences in the reference side, by id. */
  counts = new Int32Array(2048);
  size = 0;

  /** Forgets all n-grams; costs as much as was stored. */
  clear(): void {
    for (let id = 0; id < this.size; id++) this.#slots[this.#used[id]!] = emptySlot;
    this.counts.fill(0, 0, this.size);
    this.size = 0;
  }

  #find(prefix: number, symbol: number): number {
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(prefix + 1, 0x9e3779b1) ^ Math.imul(symbol + 1, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const id = this.#slots[slot]!;
      if (id === emptySlot || (this.#prefixes[id] === prefix && this.#symbols[id] === symbol)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Id of the n-gram, or -1 if it was never stored. */
  lookup(prefix: number, symbol: number): number {
    return this.#slots[this.#find(prefix, symbol)]!;
  }

  /** Id of the n-gram, stored now if it is new. A unigram has the prefix -1. */
  intern(prefix: number, symbol: number): number {
    let slot = this.#find(prefix, symbol);
    const found = this.#slots[slot]!;
    if (found !== emptySlot) return found;
    if (this.size * 2 >= this.#slots.length) {
      this.#grow();
      slot = this.#find(prefix, symbol);
    }
    const id = this.size++;
    this.#slots[slot] = id;
    this.#prefixes[id] = prefix;
    this.#symbols[id] = symbol;
    this.#used[id] = slot;
    return id;
  }

  #grow(): void {
    const capacity = this.#slots.length;
    this.#prefixes = grown(this.#prefixes, capacity);
    this.#symbols = grown(this.#symbols, capacity);
    this.#used = grown(this.#used, capacity);
    this.counts = grown(this.counts, capacity);
    this.#slots = new Int32Array(capacity * 2).fill(emptySlot);
    for (let id = 0; id < this.size; id++) {
      const slot = this.#find(this.#prefixes[id]!, this.#symbols[id]!);
      this.#slots[slot] = id;
      this.#used[id] = slot;
    }
  }
}

function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

/** Number of n-grams of one order in a sequence. */
export function ngramCount(length: number, order: number): number {
  return Math.max(0, length - order + 1);
}

const root = -1;

/** Counts every n-gram up to `maxOrder` of a reference sequence into the table. */
export function addReference(table: NgramTable, symbols: Int32Array, maxOrder: number): void {
  const count = symbols.length;
  for (let start = 0; start < count; start++) {
    let id = root;
    const end = Math.min(count, start + maxOrder);
    for (let index = start; index < end; index++) {
      id = table.intern(id, symbols[index]!);
      table.counts[id]!++;
    }
  }
}

/** Raises counts to those of a further reference where it has more (BLEU clips by the largest count over references). */
export function raiseToReference(table: NgramTable, symbols: Int32Array, maxOrder: number): void {
  const own = new Map<number, number>();
  const count = symbols.length;
  for (let start = 0; start < count; start++) {
    let id = root;
    const end = Math.min(count, start + maxOrder);
    for (let index = start; index < end; index++) {
      id = table.intern(id, symbols[index]!);
      own.set(id, (own.get(id) ?? 0) + 1);
    }
  }
  for (const [id, occurrences] of own) if (occurrences > table.counts[id]!) table.counts[id] = occurrences;
}

/**
 * Clipped matches of a hypothesis by order (index 0 = unigrams). Uses up the counts of the table.
 * An n-gram whose prefix is unknown cannot match, so the search stops there.
 */
export function takeMatches(table: NgramTable, symbols: Int32Array, maxOrder: number, matches: Int32Array | number[]): void {
  const count = symbols.length;
  for (let start = 0; start < count; start++) {
    let id = root;
    const end = Math.min(count, start + maxOrder);
    for (let index = start, order = 0; index < end; index++, order++) {
      id = table.lookup(id, symbols[index]!);
      if (id < 0) break;
      if (table.counts[id]! > 0) {
        table.counts[id]!--;
        matches[order]!++;
      }
    }
  }
}

/** Numbers tokens by identity within one comparison. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();

  encode(tokens: readonly string[]): Int32Array {
    const ids = this.#ids;
    const codes = new Int32Array(tokens.length);
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      let id = ids.get(token);
      if (id === undefined) ids.set(token, (id = ids.size));
      codes[index] = id;
    }
    return codes;
  }

  get size(): number {
    return this.#ids.size;
  }
}

/** One table for all comparisons: everything here is synchronous, and each user clears it first. */
export const sharedTable = new NgramTable();
