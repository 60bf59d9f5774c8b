/** Dot product; the cosine of two vectors of length one. */
export function dotProduct(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let product = 0;
  for (let at = 0; at < one.length; at++) product += one[at]! * other[at]!;
  return product;
}

/** Euclidean length. */
export function magnitude(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return Math.sqrt(sum);
}

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
