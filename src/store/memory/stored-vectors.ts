import { magnitude } from '../../lib/vectors.ts';

/** The largest component of a stored direction. */
const LARGEST = 32_767;

/**
 * Encodes the direction of a vector for storage: big-endian 16-bit integers, like `int2send`, so that SQL can produce
 * them too. The largest component becomes 32,767, which keeps cosines exact to about 1e-5. A zero vector stays zero.
 */
export function directionOf(vector: ArrayLike<number>): Buffer {
  const bytes = Buffer.allocUnsafe(2 * vector.length);
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!));
  const scale = largest === 0 ? 0 : LARGEST / largest;
  for (let at = 0; at < vector.length; at++) bytes.writeInt16BE(Math.round(vector[at]! * scale), 2 * at);
  return bytes;
}

export function componentsOf(direction: Uint8Array): Int16Array {
  const components = new Int16Array(direction.length >> 1);
  // The arithmetic shift extends the sign of the high byte.
  for (let at = 0; at < components.length; at++)
    components[at] = ((direction[2 * at]! << 24) >> 16) | direction[2 * at + 1]!;
  return components;
}

/** Decodes a stored direction into a unit vector. */
export function vectorFrom(direction: Uint8Array): Float32Array {
  const components = componentsOf(direction);
  const length = magnitude(components) || 1;
  return Float32Array.from(components, (value) => value / length);
}
