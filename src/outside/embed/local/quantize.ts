/**
 * Seven of eight bits: processors without VNNI add two 8-bit products in 16 bits, which would overflow and give vectors
 * that differ from other processors'.
 */
const MAX_QUANTIZED = 63;

/** Quantizes a matrix to int8 with one scale per row. */
export function quantizeRows(
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
    const scale = greatest / MAX_QUANTIZED || 1;
    scales[row] = scale;
    for (let at = row * width; at < end; at++) rows[at] = Math.round(values[at]! / scale);
  }
  return { rows, scales };
}

/** Transposes a row-major matrix. */
export function transpose<T extends Float32Array | Int8Array>(values: T, height: number, width: number): T {
  const turned = values.slice() as T;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      turned[column * height + row] = values[row * width + column]!;
    }
  }
  return turned;
}
