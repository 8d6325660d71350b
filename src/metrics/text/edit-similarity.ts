// Levenshtein distance over code points, 32 cells at a time, so that long outputs stay cheap.
import { positionMasks } from './lcs.ts';
import { Vocabulary } from './ngram-table.ts';

/**
 * Number of insertions, deletions and substitutions between two texts.
 * Source: Myers, "A fast bit-vector algorithm for approximate string matching" (1999), in the block form of Hyyro (2003).
 */
export function levenshtein(left: string, right: string): number {
  const vocabulary = new Vocabulary();
  const a = vocabulary.encode([...left]);
  const b = vocabulary.encode([...right]);
  const [pattern, text] = a.length <= b.length ? [a, b] : [b, a];
  if (pattern.length === 0) return text.length;
  const words = (pattern.length + 31) >>> 5;
  const { masks, offsets } = positionMasks(pattern, words, vocabulary.size);
  const up = new Int32Array(words).fill(-1);
  const down = new Int32Array(words);
  const lastBit = 1 << ((pattern.length - 1) & 31);
  let distance = pattern.length;
  for (const code of text) {
    const offset = offsets[code]! - 1;
    let carriedUp = 1;
    let carriedDown = 0;
    for (let word = 0; word < words; word++) {
      const vp = up[word]!;
      const vn = down[word]!;
      const matches = (offset < 0 ? 0 : masks[offset + word]!) | 0;
      const xv = matches | vn;
      const eq = matches | carriedDown;
      const xh = (((eq & vp) + vp) ^ vp) | eq;
      let hp = vn | ~(xh | vp);
      let hn = vp & xh;
      const edge = word === words - 1 ? lastBit : -2147483648;
      const outUp = (hp & edge) !== 0 ? 1 : 0;
      const outDown = (hn & edge) !== 0 ? 1 : 0;
      hp = (hp << 1) | carriedUp;
      hn = (hn << 1) | carriedDown;
      up[word] = hn | ~(xv | hp);
      down[word] = hp & xv;
      carriedUp = outUp;
      carriedDown = outDown;
    }
    distance += carriedUp - carriedDown;
  }
  return distance;
}

/** 1 - Levenshtein distance / longer length, over code points; two empty texts are alike. */
export function editSimilarity(left: string, right: string): number {
  const longer = Math.max(codePoints(left), codePoints(right));
  return longer === 0 ? 1 : 1 - levenshtein(left, right) / longer;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
