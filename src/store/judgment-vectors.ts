/** A vector as pgvector reads it. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** Millionths, which is more than a model is exact to; 32 bits hold each of them without loss. */
const SCALE = 1e6;

/**
 * A vector as an array of whole numbers, a million times as long. Only its direction counts where cosines are
 * compared, and the embedded database takes three times as long to read fractions.
 */
export const directionText = (vector: Float32Array): string =>
  `{${Array.from(vector, (value) => Math.round(value * SCALE)).join(',')}}`;

/** A vector of length one from what the database writes of it. */
export function vectorFrom(text: string): Float32Array {
  const numbers = JSON.parse(text) as number[];
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (value) => value / length);
}
