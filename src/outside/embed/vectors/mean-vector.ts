/** Mean of one or more vectors, normalized to length one. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  if (vectors.length === 1) return vectors[0]!;
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!;
  }
  return normalize(sum);
}

/** Normalizes a vector to length one; a zero vector stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
