import type { Attribute, ElementType, Graph, Node, Tensor } from './onnx-file.ts';
import { quantizeRows, transpose } from './quantize.ts';
import type { Weights } from './safetensors.ts';

/** The part of a BERT model's config.json that its graph depends on. */
export interface BertConfig {
  hidden_size: number;
  num_attention_heads: number;
  num_hidden_layers: number;
  max_position_embeddings: number;
  layer_norm_eps: number;
}

/** `int8` is used; `float32` is its reference in tests and in `bench/embeddings.ts`. */
export type Precision = 'int8' | 'float32';

/** Operator set of ONNX Runtime, beside ONNX' own. */
const MICROSOFT = 'com.microsoft';
const FLOAT = 1;
const UINT8 = 2;
/** Zero point of quantized activations, and their greatest distance from it. */
const ZERO_POINT = 128;
const MAX_DISTANCE = 127;

/**
 * Builds the graph of a BERT encoder that ends in one normalized vector per text, the mean of its tokens. Inputs are
 * `ids` (int64) and `mask` (int32, 1 for a token and 0 for padding), both [texts, tokens]; the output is `vectors`
 * (float32, [texts, hidden size]).
 *
 * With `int8`, the input of a linear layer is quantized with one scale per token. With the usual single scale for all
 * tokens of all texts, the vector of a text would depend on the other texts of its batch (measured: a cosine of 0.98).
 */
export function bertGraph(weights: Weights, config: BertConfig, precision: Precision): Graph {
  const graph = new BertGraph(weights, config, precision);
  let hidden = graph.embeddings();
  for (let layer = 0; layer < config.num_hidden_layers; layer++) hidden = graph.encoderLayer(hidden, layer);
  return graph.withMean(hidden);
}

/** A graph under construction. Methods add nodes, and return the name of their result. */
class BertGraph {
  readonly #weights: Weights;
  readonly #config: BertConfig;
  readonly #precision: Precision;
  readonly #nodes: Node[] = [];
  readonly #tensors: Tensor[] = [];
  #values = 0;
  readonly #zero = this.#ints('zero', 0);
  readonly #secondAxis = this.#ints('one', 1);
  readonly #lastAxis = this.#ints('last', -1);
  readonly #minScale = this.#scalar('least', 1e-12);
  readonly #maxDistance = this.#scalar('reach', MAX_DISTANCE);
  // A cast truncates, so a half is added to round.
  readonly #offset = this.#scalar('middle', ZERO_POINT + 0.5);
  readonly #unscaled = this.#scalar('unscaled', 1);
  readonly #zeroPoint = this.#add({
    name: 'middle8',
    type: 'uint8',
    dims: [],
    data: Uint8Array.of(ZERO_POINT),
  });

  constructor(weights: Weights, config: BertConfig, precision: Precision) {
    this.#weights = weights;
    this.#config = config;
    this.#precision = precision;
  }

  embeddings(): string {
    const sum = this.#node('Add', [this.#wordEmbeddings(), this.#positionEmbeddings()]);
    return this.#layerNorm(sum, 'embeddings.LayerNorm');
  }

  encoderLayer(hidden: string, layer: number): string {
    const at = `encoder.layer.${layer}`;
    const self = `${at}.attention.self`;
    // Some inputs of attention are far greater than the rest, and quantizing them costs precision in the last layers
    // (measured: with float32 here, the mean cosine to full precision is 0.997 rather than 0.995, that of a single word
    // 0.984 rather than 0.976; float32 in the other layers too would add 0.0006, and take a quarter more time).
    const isLate = layer >= this.#config.num_hidden_layers - 2;
    const projections = [`${self}.query`, `${self}.key`, `${self}.value`];
    const all = this.#linear(hidden, isLate ? 'float32' : this.#precision, ...projections);
    const [query, key, value] = this.#nodeWithOutputs(3, 'Split', [all], { axis: -1, num_outputs: 3 });
    const attention = this.#node(
      'MultiHeadAttention',
      [query!, key!, value!, '', 'mask'],
      { num_heads: this.#config.num_attention_heads },
      MICROSOFT,
    );
    const attended = this.#layerNorm(
      this.#node('Add', [this.#linear(attention, this.#precision, `${at}.attention.output.dense`), hidden]),
      `${at}.attention.output.LayerNorm`,
    );
    const widened = this.#node('Gelu', [this.#linear(attended, this.#precision, `${at}.intermediate.dense`)]);
    return this.#layerNorm(
      this.#node('Add', [this.#linear(widened, this.#precision, `${at}.output.dense`), attended]),
      `${at}.output.LayerNorm`,
    );
  }

  /** Completes the graph. The vector is normalized, so the sum of the tokens serves as their mean. */
  withMean(hidden: string): Graph {
    const mask = this.#node('Unsqueeze', [this.#node('Cast', ['mask'], { to: FLOAT }), this.#secondAxis]);
    const sum = this.#node('Squeeze', [this.#node('MatMul', [mask, hidden]), this.#secondAxis]);
    const normalize = {
      op: 'LpNormalization',
      inputs: [sum],
      outputs: ['vectors'],
      attributes: { axis: -1, p: 2 },
    };
    const input = (name: string, type: ElementType) => ({ name, type, dims: ['texts', 'tokens'] });
    return {
      nodes: [...this.#nodes, normalize],
      tensors: this.#tensors,
      inputs: [input('ids', 'int64'), input('mask', 'int32')],
      outputs: [{ name: 'vectors', type: 'float32', dims: ['texts', this.#config.hidden_size] }],
      operators: { '': 20, [MICROSOFT]: 1 },
    };
  }

  #wordEmbeddings(): string {
    const { dims, values } = this.#weights('embeddings.word_embeddings.weight');
    if (this.#precision === 'float32')
      return this.#node('Gather', [this.#floats('words', dims, values), 'ids']);
    const { rows, scales } = quantizeRows(values, dims[0]!, this.#config.hidden_size);
    const table = this.#add({ name: 'words', type: 'int8', dims, data: rows });
    const found = this.#node('Gather', [table, 'ids']);
    const scale = this.#node('Gather', [this.#floats('words.scales', [dims[0]!, 1], scales), 'ids']);
    return this.#node('Mul', [this.#node('Cast', [found], { to: FLOAT }), scale]);
  }

  /** All tokens are of the first type, so its vector is added to that of each position beforehand. */
  #positionEmbeddings(): string {
    const { hidden_size: width, max_position_embeddings: count } = this.#config;
    const table = this.#weights('embeddings.position_embeddings.weight').values;
    const type = this.#weights('embeddings.token_type_embeddings.weight').values;
    const sums = table.map((value, at) => value + type[at % width]!);
    const all = this.#floats('positions', [count, width], sums);
    const length = this.#node('Shape', ['ids'], { start: 1, end: 2 });
    return this.#node('Slice', [all, this.#zero, length, this.#zero]);
  }

  #layerNorm(input: string, name: string): string {
    const dims = [this.#config.hidden_size];
    const scale = this.#floats(`${name}.weight`, dims, this.#weights(`${name}.weight`).values);
    const shift = this.#floats(`${name}.bias`, dims, this.#weights(`${name}.bias`).values);
    return this.#node('LayerNormalization', [input, scale, shift], {
      epsilon: { float: this.#config.layer_norm_eps },
      axis: -1,
    });
  }

  /** Linear layers with the same input, computed as one; their outputs are concatenated. */
  #linear(input: string, precision: Precision, ...names: string[]): string {
    const parts = names.map((name) => this.#weights(`${name}.weight`));
    const width = parts[0]!.dims[1]!;
    const matrix = concatenated(parts.map(({ values }) => values));
    const height = matrix.length / width;
    const [name] = names;
    const biases = names.map((each) => this.#weights(`${each}.bias`).values);
    const bias = this.#floats(`${name}.bias`, [height], concatenated(biases));
    if (precision === 'float32') {
      const columns = this.#floats(`${name}.weight`, [width, height], transpose(matrix, height, width));
      return this.#node('Add', [this.#node('MatMul', [input, columns]), bias]);
    }
    const { rows, scales } = quantizeRows(matrix, height, width);
    const data = transpose(rows, height, width);
    const columns = this.#add({ name: `${name}.weight`, type: 'int8', dims: [width, height], data });
    const columnScales = this.#floats(`${name}.scales`, [height], scales);
    const greatest = this.#node('ReduceMax', [this.#node('Abs', [input]), this.#lastAxis], { keepdims: 1 });
    const scale = this.#node('Div', [this.#node('Max', [greatest, this.#minScale]), this.#maxDistance]);
    const scaled = this.#node('Add', [this.#node('Div', [input, scale]), this.#offset]);
    const quantized = this.#node('Cast', [scaled], { to: UINT8 });
    const product = this.#node(
      'MatMulIntegerToFloat',
      [quantized, columns, this.#unscaled, columnScales, this.#zeroPoint],
      {},
      MICROSOFT,
    );
    return this.#node('Add', [this.#node('Mul', [product, scale]), bias]);
  }

  #add(tensor: Tensor): string {
    this.#tensors.push(tensor);
    return tensor.name;
  }

  #floats(name: string, dims: readonly number[], data: Float32Array): string {
    return this.#add({ name, type: 'float32', dims, data });
  }

  #ints(name: string, value: number): string {
    return this.#add({ name, type: 'int64', dims: [1], data: BigInt64Array.of(BigInt(value)) });
  }

  #scalar(name: string, value: number): string {
    return this.#floats(name, [], Float32Array.of(value));
  }

  #node(op: string, inputs: string[], attributes?: Record<string, Attribute>, domain?: string): string {
    return this.#nodeWithOutputs(1, op, inputs, attributes, domain)[0]!;
  }

  /** Adds a node with several outputs. */
  #nodeWithOutputs(
    count: number,
    op: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    domain = '',
  ): string[] {
    const outputs = Array.from({ length: count }, () => `value${this.#values++}`);
    this.#nodes.push({ op, domain, inputs, outputs, attributes });
    return outputs;
  }
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
