import type { Attribute, ElementType, Graph, Node, Tensor } from './onnx-file.ts';
import { quantiseRows, transpose } from './quantise.ts';
import type { Weights } from './safetensors.ts';

/** As much of a BERT model's config.json as its graph depends on. */
export interface BertConfig {
  hidden_size: number;
  num_attention_heads: number;
  num_hidden_layers: number;
  max_position_embeddings: number;
  layer_norm_eps: number;
}

/** `int8` is what is run; `float32` is what it is compared with. */
export type Precision = 'int8' | 'float32';

/** Operators beside ONNX' own, which ONNX Runtime brings along. */
const MICROSOFT = 'com.microsoft';
const FLOAT = 1;
const UINT8 = 2;
/** What a row's whole numbers are counted from, and their greatest distance from it. */
const MIDDLE = 128;
const REACH = 127;

/**
 * The graph of a BERT encoder that ends in one vector of length one a text: the mean of its tokens.
 * Inputs are `ids` (int64) and `mask` (int32, 1 for a token and 0 for padding), both [texts, tokens]; the output is
 * `vectors` (float32, [texts, hidden size]).
 *
 * As `int8`, what comes into a linear layer is quantised by itself for each token. With one scale for all tokens of all
 * texts, as usual, a text's vector would depend on the texts beside it (measured: a cosine of 0.98 to its own).
 */
export function bertGraph(weights: Weights, config: BertConfig, precision: Precision): Graph {
  const nodes: Node[] = [];
  const tensors: Tensor[] = [];
  const width = config.hidden_size;

  const add = (tensor: Tensor): string => {
    tensors.push(tensor);
    return tensor.name;
  };
  const floats = (name: string, dims: readonly number[], data: Float32Array) =>
    add({ name, type: 'float32', dims, data });
  const whole = (name: string, value: number) =>
    add({ name, type: 'int64', dims: [1], data: BigInt64Array.of(BigInt(value)) });
  const number = (name: string, value: number) => floats(name, [], Float32Array.of(value));

  let values = 0;
  const several = (
    count: number,
    op: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    domain = '',
  ) => {
    const outputs = Array.from({ length: count }, () => `value${values++}`);
    nodes.push({ op, domain, inputs, outputs, attributes });
    return outputs;
  };
  const node = (op: string, inputs: string[], attributes?: Record<string, Attribute>, domain?: string) =>
    several(1, op, inputs, attributes, domain)[0]!;

  const nothing = whole('zero', 0);
  const secondAxis = whole('one', 1);
  const lastAxis = whole('last', -1);
  const least = number('least', 1e-12);
  const reach = number('reach', REACH);
  // A cast cuts off what is behind the point, so that a half more rounds.
  const middle = number('middle', MIDDLE + 0.5);
  const unscaled = number('unscaled', 1);
  const zeroPoint = add({ name: 'middle8', type: 'uint8', dims: [], data: Uint8Array.of(MIDDLE) });

  const norm = (input: string, name: string) => {
    const scale = floats(`${name}.weight`, [width], weights(`${name}.weight`).values);
    const shift = floats(`${name}.bias`, [width], weights(`${name}.bias`).values);
    return node('LayerNormalization', [input, scale, shift], {
      epsilon: { float: config.layer_norm_eps },
      axis: -1,
    });
  };

  /** Layers of the same input, as one whose outputs stand beside each other. */
  const linear = (input: string, as: Precision, ...names: string[]) => {
    const parts = names.map((name) => weights(`${name}.weight`));
    const into = parts[0]!.dims[1]!;
    const matrix = joined(parts.map((part) => part.values));
    const out = matrix.length / into;
    const [name] = names;
    const bias = floats(`${name}.bias`, [out], joined(names.map((each) => weights(`${each}.bias`).values)));
    if (as === 'float32') {
      const columns = floats(`${name}.weight`, [into, out], transpose(matrix, out, into));
      return node('Add', [node('MatMul', [input, columns]), bias]);
    }
    const { rows, scales } = quantiseRows(matrix, out, into);
    const columns = add({
      name: `${name}.weight`,
      type: 'int8',
      dims: [into, out],
      data: transpose(rows, out, into),
    });
    const columnScales = floats(`${name}.scales`, [out], scales);
    const greatest = node('ReduceMax', [node('Abs', [input]), lastAxis], { keepdims: 1 });
    const scale = node('Div', [node('Max', [greatest, least]), reach]);
    const quantised = node('Cast', [node('Add', [node('Div', [input, scale]), middle])], { to: UINT8 });
    const product = node(
      'MatMulIntegerToFloat',
      [quantised, columns, unscaled, columnScales, zeroPoint],
      {},
      MICROSOFT,
    );
    return node('Add', [node('Mul', [product, scale]), bias]);
  };

  const words = () => {
    const { dims, values: table } = weights('embeddings.word_embeddings.weight');
    if (precision === 'float32') return node('Gather', [floats('words', dims, table), 'ids']);
    const { rows, scales } = quantiseRows(table, dims[0]!, width);
    const found = node('Gather', [add({ name: 'words', type: 'int8', dims, data: rows }), 'ids']);
    const scale = node('Gather', [floats('words.scales', [dims[0]!, 1], scales), 'ids']);
    return node('Mul', [node('Cast', [found], { to: FLOAT }), scale]);
  };

  /** All tokens are of the first type, so that its vector can be added to each position's. */
  const positions = () => {
    const table = weights('embeddings.position_embeddings.weight').values;
    const type = weights('embeddings.token_type_embeddings.weight').values;
    const sums = table.map((value, at) => value + type[at % width]!);
    const all = floats('positions', [config.max_position_embeddings, width], sums);
    return node('Slice', [all, nothing, node('Shape', ['ids'], { start: 1, end: 2 }), nothing]);
  };

  let hidden = norm(node('Add', [words(), positions()]), 'embeddings.LayerNorm');
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const at = `encoder.layer.${layer}`;
    const self = `${at}.attention.self`;
    // A few numbers of what comes in are far greater than the rest, which the last layers cannot bear (measured: with
    // these in full precision the mean cosine to it is 0.997 rather than 0.995, that of a single word 0.984 rather
    // than 0.976; all others in full precision too would add 0.0006, and take a quarter more time).
    const isLate = layer >= config.num_hidden_layers - 2;
    const into = [`${self}.query`, `${self}.key`, `${self}.value`];
    const all = linear(hidden, isLate ? 'float32' : precision, ...into);
    const [query, key, value] = several(3, 'Split', [all], { axis: -1, num_outputs: 3 });
    const attended = node(
      'MultiHeadAttention',
      [query!, key!, value!, '', 'mask'],
      { num_heads: config.num_attention_heads },
      MICROSOFT,
    );
    const seen = node('Add', [linear(attended, precision, `${at}.attention.output.dense`), hidden]);
    hidden = norm(seen, `${at}.attention.output.LayerNorm`);
    const widened = node('Gelu', [linear(hidden, precision, `${at}.intermediate.dense`)]);
    hidden = norm(
      node('Add', [linear(widened, precision, `${at}.output.dense`), hidden]),
      `${at}.output.LayerNorm`,
    );
  }

  // The length is made one in any case, so that the sum does for the mean.
  const mask = node('Unsqueeze', [node('Cast', ['mask'], { to: FLOAT }), secondAxis]);
  const sum = node('Squeeze', [node('MatMul', [mask, hidden]), secondAxis]);
  nodes.push({
    op: 'LpNormalization',
    inputs: [sum],
    outputs: ['vectors'],
    attributes: { axis: -1, p: 2 },
  });

  const input = (name: string, type: ElementType) => ({ name, type, dims: ['texts', 'tokens'] });
  return {
    nodes,
    tensors,
    inputs: [input('ids', 'int64'), input('mask', 'int32')],
    outputs: [{ name: 'vectors', type: 'float32', dims: ['texts', width] }],
    operators: { '': 20, [MICROSOFT]: 1 },
  };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
