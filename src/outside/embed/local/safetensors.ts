export interface WeightTensor {
  dims: readonly number[];
  /** Row-major. */
  values: Float32Array;
}

/** Decodes the tensor of a name on each call; throws if there is none. */
export type Weights = (name: string) => WeightTensor;

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/**
 * Reads a safetensors file: the length of the header as 64 bits, the header as JSON, then the numbers. Throws on a
 * damaged file.
 */
export function readSafetensors(file: Uint8Array): Weights {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const begin = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, begin))) as Record<string, Entry>;
  return (name) => {
    const entry = header[name];
    if (!entry) throw new Error(`The file of weights has no ${name}.`);
    const [from, to] = entry.data_offsets;
    // Copied, since typed arrays need an aligned offset.
    const { buffer } = Uint8Array.from(file.subarray(begin + from, begin + to));
    const values = decode(entry.dtype, buffer);
    if (values?.length !== entry.shape.reduce((product, size) => product * size, 1)) {
      throw new Error(`The file of weights is damaged at ${name}.`);
    }
    return { dims: entry.shape, values };
  };
}

function decode(dtype: string, buffer: ArrayBuffer): Float32Array | undefined {
  if (dtype === 'F16') return Float32Array.from(new Float16Array(buffer));
  return dtype === 'F32' ? new Float32Array(buffer) : undefined;
}
