// Python's random.Random for non-negative integer seeds: the few-shot draws of lm-eval depend on it digit for digit.

const size = 624;
const period = 397;

/**
 * MT19937 (Matsumoto and Nishimura 1998) with CPython's seeding by array, `randbelow` and `sample`.
 * @example new PythonRandom(1234).sample(7473, 5) // [6374, 3610, 957, 61, 742]
 */
export class PythonRandom {
  readonly #state = new Uint32Array(size);
  #position = size;

  /** @param seed one or more 32-bit words, least significant first (a small integer seed is one word) */
  constructor(seed: number | readonly number[]) {
    const key = typeof seed === 'number' ? wordsOf(seed) : seed;
    this.#fill(19650218);
    const state = this.#state;
    let i = 1;
    let j = 0;
    for (let step = Math.max(size, key.length); step > 0; step--) {
      const mixed = Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), 1664525);
      state[i] = (state[i]! ^ mixed) + key[j]! + j;
      if (++i >= size) {
        state[0] = state[size - 1]!;
        i = 1;
      }
      if (++j >= key.length) j = 0;
    }
    for (let step = size - 1; step > 0; step--) {
      const mixed = Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), 1566083941);
      state[i] = (state[i]! ^ mixed) - i;
      if (++i >= size) {
        state[0] = state[size - 1]!;
        i = 1;
      }
    }
    state[0] = 0x80000000;
  }

  #fill(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < size; i++) state[i] = Math.imul(1812433253, state[i - 1]! ^ (state[i - 1]! >>> 30)) + i;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < size; i++) {
      const joined = (state[i]! & 0x80000000) | (state[(i + 1) % size]! & 0x7fffffff);
      state[i] = state[(i + period) % size]! ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.#position = 0;
  }

  /** The next 32-bit output. */
  next32(): number {
    if (this.#position >= size) this.#twist();
    let word = this.#state[this.#position++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }

  /** A uniform integer in [0, n), 1 <= n < 2^32: top bits of an output, rejected when too large. */
  below(n: number): number {
    const bits = 32 - Math.clz32(n);
    for (;;) {
      const value = this.next32() >>> (32 - bits);
      if (value < n) return value;
    }
  }

  /** `random.sample(range(n), k)`: k distinct positions in draw order. Needs k <= n. */
  sample(n: number, k: number): number[] {
    if (k > n) throw new RangeError(`cannot draw ${k} of ${n}`);
    let setSize = 21;
    if (k > 5) setSize += 4 ** Math.ceil(Math.log(k * 3) / Math.log(4));
    return n <= setSize ? this.#sampleByPool(n, k) : this.#sampleBySet(n, k);
  }

  #sampleByPool(n: number, k: number): number[] {
    const pool = Array.from({ length: n }, (_, index) => index);
    return Array.from({ length: k }, (_, i) => {
      const j = this.below(n - i);
      const drawn = pool[j]!;
      pool[j] = pool[n - i - 1]!;
      return drawn;
    });
  }

  #sampleBySet(n: number, k: number): number[] {
    const seen = new Set<number>();
    while (seen.size < k) seen.add(this.below(n));
    return [...seen];
  }
}

function wordsOf(seed: number): number[] {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`seed must be a non-negative integer, not ${seed}`);
  const high = Math.floor(seed / 2 ** 32);
  return high === 0 ? [seed >>> 0] : [seed >>> 0, high];
}
