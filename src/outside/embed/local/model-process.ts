// Program of the local model's process: inference in the service's own process would block its event loop, and a crash
// of the native library would end the service. Tasks and reports are messages on the parent's IPC channel.
import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { loadModel, type Model } from './local-model.ts';
import { MAX_TOKENS, windowsOf } from './token-windows.ts';

export interface ModelTask {
  id: number;
  /** Queries overtake other tasks. */
  isQuery: boolean;
  texts: readonly string[];
}

export type ModelReport =
  | { state: 'ready'; dimension: number; memoryBytes: number }
  /** The model cannot be loaded; the process ends. */
  | { state: 'failed'; reason: string }
  /** The vectors of all windows of all texts, concatenated, and the number of windows of each text. */
  | { state: 'done'; id: number; counts: readonly number[]; vectors: Float32Array };

/** Tokens of one inference, padding included. A query waits for at most one, which takes some 10 ms. */
const SLICE_TOKENS = 128;
/** Lower than that of the service, since its callers wait for more than vectors. */
const LOW_PRIORITY = 10;

// The service may have died.
process.once('disconnect', () => process.exit());
try {
  setPriority(LOW_PRIORITY);
} catch {
  // Some systems forbid it.
}

const report = (message: ModelReport, then = () => {}) => process.send?.(message, then);
const waiting: { queries: ModelTask[]; others: ModelTask[] } = { queries: [], others: [] };
let model: Model | undefined;
let isWorking = false;

process.on('message', (task: ModelTask) => {
  waiting[task.isQuery ? 'queries' : 'others'].push(task);
  void work();
});

try {
  model = await loadModel('int8');
  // The first inference is slow; after it, the buffers that the model was built from are garbage.
  await model.run([[]]);
  globalThis.gc?.();
  report({ state: 'ready', dimension: model.dimension, memoryBytes: process.memoryUsage.rss() });
  void work();
} catch (error) {
  report({ state: 'failed', reason: (error as Error).message }, () => process.exit(1));
}

async function work(): Promise<void> {
  if (!model || isWorking) return;
  isWorking = true;
  const using = model;
  for (;;) {
    await embedQueries(using);
    const task = waiting.others.shift();
    if (!task) break;
    await embed(using, [task], () => embedQueries(using));
  }
  isWorking = false;
}

/** Runs the queries that have come meanwhile together, since a few short texts take little longer than one. */
async function embedQueries(using: Model): Promise<void> {
  while (waiting.queries.length > 0) await embed(using, waiting.queries.splice(0), async () => {});
}

/** Runs tasks slice by slice; between two slices, new messages are received and `giveWay` runs queries. */
async function embed(
  { tokenize, dimension, run }: Model,
  tasks: readonly ModelTask[],
  giveWay: () => Promise<void>,
) {
  const windows: number[][] = [];
  const countsOf = tasks.map(({ texts }) =>
    texts.map((text) => {
      const windowsOfText = windowsOf(tokenize(text, MAX_TOKENS));
      windows.push(...windowsOfText);
      return windowsOfText.length;
    }),
  );
  const vectors = new Float32Array(windows.length * dimension);
  for (const slice of slicesOf(windows)) {
    await setImmediate();
    await giveWay();
    const found = await run(slice.map((at) => windows[at]!));
    for (const [row, at] of slice.entries()) {
      vectors.set(found.subarray(row * dimension, (row + 1) * dimension), at * dimension);
    }
  }
  let at = 0;
  for (const [index, { id }] of tasks.entries()) {
    const counts = countsOf[index]!;
    const end = at + dimension * counts.reduce((sum, count) => sum + count, 0);
    report({ state: 'done', id, counts, vectors: vectors.slice(at, end) });
    at = end;
  }
}

/** Groups the indices of windows by similar length, so that little padding is computed. */
function slicesOf(windows: readonly (readonly number[])[]): number[][] {
  const slices: number[][] = [];
  const byLength = windows.map((_, at) => at).sort((a, b) => windows[a]!.length - windows[b]!.length);
  for (const at of byLength) {
    const slice = slices.at(-1);
    if (slice && (slice.length + 1) * (windows[at]!.length + 2) <= SLICE_TOKENS) slice.push(at);
    else slices.push([at]);
  }
  return slices;
}
