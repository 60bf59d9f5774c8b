// The part of the ONNX format that is needed to write a model: Protocol Buffers messages with the field numbers of
// onnx.proto3.

/** ONNX' codes of element types. */
const elementTypes = { float32: 1, int8: 3, uint8: 2, int32: 6, int64: 7, float16: 10 } as const;
export type ElementType = keyof typeof elementTypes;

export interface Tensor {
  name: string;
  type: ElementType;
  dims: readonly number[];
  /** Little-endian, row-major. */
  data: ArrayBufferView;
}

/** Numbers are `int` attributes and lists `ints`; `{ float }` marks a `float`. */
export type Attribute = number | string | readonly number[] | { float: number };

export interface Node {
  op: string;
  /** Operator set; default is ONNX' own. */
  domain?: string;
  /** Names of values; an empty name omits an optional input. */
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Record<string, Attribute>;
}

export interface Graph {
  nodes: readonly Node[];
  tensors: readonly Tensor[];
  /** A dimension with a name may have any size, which is the same wherever the name occurs. */
  inputs: readonly { name: string; type: ElementType; dims: readonly (number | string)[] }[];
  outputs: readonly { name: string; type: ElementType; dims: readonly (number | string)[] }[];
  /** Version of each operator set. */
  operators: Record<string, number>;
}

const IR_VERSION = 8;

/** Serializes a graph as an ONNX file. */
export function onnxFile(graph: Graph): Uint8Array {
  const content = message(
    ...graph.nodes.map((node) => field(1, encodeNode(node))),
    field(2, text('model')),
    ...graph.tensors.map((tensor) => field(5, encodeTensor(tensor))),
    ...graph.inputs.map((value) => field(11, encodeValue(value))),
    ...graph.outputs.map((value) => field(12, encodeValue(value))),
  );
  const operators = Object.entries(graph.operators).map(([domain, version]) =>
    field(8, message(field(1, text(domain)), field(2, version))),
  );
  return Buffer.concat(message(field(1, IR_VERSION), field(7, content), ...operators));
}

const encodeNode = ({ op, domain = '', inputs, outputs, attributes = {} }: Node): Bytes =>
  message(
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) =>
      field(5, message(field(1, text(name)), ...encodeAttribute(value))),
    ),
    field(7, text(domain)),
  );

function encodeAttribute(value: Attribute): Bytes[] {
  if (typeof value === 'number') return [field(3, value), field(20, 2)];
  if (typeof value === 'string') return [field(4, text(value)), field(20, 3)];
  if ('float' in value) return [float(2, value.float), field(20, 1)];
  return [...value.map((each) => field(8, each)), field(20, 7)];
}

const encodeTensor = ({ name, type, dims, data }: Tensor): Bytes =>
  message(
    ...dims.map((size) => field(1, size)),
    field(2, elementTypes[type]),
    field(8, text(name)),
    field(9, [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]),
  );

const encodeValue = ({ name, type, dims }: Graph['inputs'][number]): Bytes => {
  const shape = message(
    ...dims.map((size) => field(1, typeof size === 'number' ? field(1, size) : field(2, text(size)))),
  );
  const tensorType = message(field(1, elementTypes[type]), field(2, shape));
  return message(field(1, text(name)), field(2, field(1, tensorType)));
};

/** Consecutive chunks, so that weights are copied only once. */
type Bytes = readonly Uint8Array[];

const message = (...fields: Bytes[]): Bytes => fields.flat();
const text = (value: string): Bytes => [Buffer.from(value)];

/** Encodes a number as a varint, and bytes with their length in front. */
function field(number: number, value: number | Bytes): Bytes {
  if (typeof value === 'number') return [varint(number << 3), varint(value)];
  const length = value.reduce((sum, piece) => sum + piece.length, 0);
  return [varint((number << 3) | 2), varint(length), ...value];
}

function float(number: number, value: number): Bytes {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [varint((number << 3) | 5), bytes];
}

/** Encodes negative numbers as 64 bits in two's complement. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
