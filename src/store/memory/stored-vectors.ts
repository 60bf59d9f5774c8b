import { magnitude } from '../../lib/vectors.ts';

/** The largest component of a stored direction. */
const LARGEST = 32_767;

/**
 * The direction of a vector as it is stored: whole numbers of 16 bits, the high byte first, as `int2send` writes them, so
 * that SQL can make them too. The largest is 32,767, which keeps a cosine exact to about 1e-5. A vector of zeros stays so.
 */
export function directionOf(vector: ArrayLike<number>): Buffer {
  const bytes = Buffer.allocUnsafe(2 * vector.length);
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!));
  const scale = largest === 0 ? 0 : LARGEST / largest;
  for (let at = 0; at < vector.length; at++) bytes.writeInt16BE(Math.round(vector[at]! * scale), 2 * at);
  return bytes;
}

/** The components of a stored direction. */
export function componentsOf(direction: Uint8Array): Int16Array {
  const components = new Int16Array(direction.length >> 1);
  // The arithmetic shift brings the sign of the high byte along.
  for (let at = 0; at < components.length; at++)
    components[at] = ((direction[2 * at]! << 24) >> 16) | direction[2 * at + 1]!;
  return components;
}

/** A stored direction as a vector of length one. */
export function vectorFrom(direction: Uint8Array): Float32Array {
  const components = componentsOf(direction);
  const length = magnitude(components) || 1;
  return Float32Array.from(components, (value) => value / length);
}
