// Seeded random numbers: the same seed and stream name give the same numbers on every machine, in Node and in a browser.

export interface Random {
  /** 32 random bits as an unsigned integer. */
  readonly uint32: () => number;
  /** Uniform in [0, 1) with 53 bits. */
  readonly next: () => number;
  /** Integer in [0, bound); bias below bound / 2^32. */
  readonly below: (bound: number) => number;
  /** Standard normal deviate (Box and Muller 1958, one of the pair). */
  readonly normal: () => number;
  /** Exponential deviate with mean 1. */
  readonly exponential: () => number;
}

const twoTo32 = 4294967296;

/** splitmix32: turns a weak seed into well mixed state words (after Steele, Lea and Flood 2014). */
function mixer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

/** FNV-1a over UTF-16 units: one number per stream name. */
function streamNumber(stream: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < stream.length; index++) hash = Math.imul(hash ^ stream.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * xoshiro128** (Blackman and Vigna 2018). Streams of other names are independent, so one user seed serves many purposes.
 * @param seed any finite number; its integer part counts, all 53 bits of it.
 * @example createRandom(42, 'bootstrap').below(6)
 */
export function createRandom(seed: number, stream = ''): Random {
  const whole = Number.isFinite(seed) ? Math.trunc(Math.abs(seed)) : 0;
  const mix = mixer((whole % twoTo32) ^ Math.imul(Math.floor(whole / twoTo32) + 1, 0x85ebca6b) ^ (seed < 0 ? 0x5bd1e995 : 0));
  const name = mixer(streamNumber(stream));
  let a = mix() ^ name();
  let b = mix() ^ name();
  let c = mix() ^ name();
  let d = (mix() ^ name()) | 1; // the all-zero state is the one that must not occur
  const uint32 = (): number => {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  const next = (): number => ((uint32() >>> 5) * 67108864 + (uint32() >>> 6)) / 9007199254740992;
  return {
    uint32,
    next,
    below: (bound) => Math.floor((uint32() * bound) / twoTo32),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: () => -Math.log(1 - next()),
  };
}

/** A shuffled copy (Fisher and Yates, Durstenfeld's form). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    const held = result[index]!;
    result[index] = result[other]!;
    result[other] = held;
  }
  return result;
}
