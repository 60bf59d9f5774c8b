/**
 * Dot product of a vector and as many numbers of another list, from its index `from`; the cosine of two vectors of length
 * one. Four sums, because an addition need not wait for the one before.
 */
export function dotProduct(one: ArrayLike<number>, other: ArrayLike<number>, from = 0): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let at = 0;
  for (; at + 3 < one.length; at += 4) {
    first += one[at]! * other[from + at]!;
    second += one[at + 1]! * other[from + at + 1]!;
    third += one[at + 2]! * other[from + at + 2]!;
    fourth += one[at + 3]! * other[from + at + 3]!;
  }
  for (; at < one.length; at++) first += one[at]! * other[from + at]!;
  return first + second + third + fourth;
}

/** Euclidean length. */
export const magnitude = (vector: ArrayLike<number>): number => Math.sqrt(dotProduct(vector, vector));

/** Cosine of two vectors with as many components, -1 to 1; 0 if one of them is all zeros. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const product = dotProduct(one, other);
  return product === 0 ? 0 : product / (magnitude(one) * magnitude(other));
}

/** The mean direction of vectors of length one, itself of length one; all zeros if they cancel out. */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) for (let at = 0; at < mean.length; at++) mean[at]! += vector[at]!;
  const length = magnitude(mean);
  return length === 0 ? mean : mean.map((value) => value / length);
}
