// Cosine of two embeddings.

/** -1 to 1 for unit vectors of one length. */
export function cosineOfUnit(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return Math.max(-1, Math.min(1, sum));
}
