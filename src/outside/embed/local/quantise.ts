/**
 * Seven bits of the eight: processors without instructions for neural networks add two products of 8 bits up in 16,
 * and where that overflows they would give other vectors than the rest.
 */
const GREATEST = 63;

/** A matrix as whole numbers, with what each row of them is to be multiplied with. */
export function quantiseRows(
  values: Float32Array,
  height: number,
  width: number,
): { rows: Int8Array; scales: Float32Array } {
  const rows = new Int8Array(values.length);
  const scales = new Float32Array(height);
  for (let row = 0; row < height; row++) {
    const end = (row + 1) * width;
    let greatest = 0;
    for (let at = row * width; at < end; at++) greatest = Math.max(greatest, Math.abs(values[at]!));
    const scale = greatest / GREATEST || 1;
    scales[row] = scale;
    for (let at = row * width; at < end; at++) rows[at] = Math.round(values[at]! / scale);
  }
  return { rows, scales };
}

/** Columns for rows. */
export function transpose<T extends Float32Array | Int8Array>(values: T, height: number, width: number): T {
  const turned = values.slice() as T;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      turned[column * height + row] = values[row * width + column]!;
    }
  }
  return turned;
}
