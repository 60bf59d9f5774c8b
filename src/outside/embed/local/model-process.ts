// The program that runs the local model, in a process of its own: what it computes would hold up everything else, and
// a fault of the native library would end the service. Tasks and answers are messages of the parent's channel.
import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { loadModel, type Model } from './model.ts';
import { MOST_PIECES, windowsOf } from './windows.ts';

export interface ModelTask {
  id: number;
  /** Overtakes tasks that are none. */
  isQuery: boolean;
  texts: readonly string[];
}

export type ModelReport =
  | { state: 'ready'; dimension: number; memoryBytes: number }
  /** It cannot be loaded; the process ends. */
  | { state: 'failed'; reason: string }
  /** The vectors of all windows of all texts one after the other, and how many windows each text has. */
  | { state: 'done'; id: number; counts: readonly number[]; vectors: Float32Array };

/** Pieces that are run at once, with those that fill up; a query waits for no more than that, some 10 ms. */
const SLICE_PIECES = 128;
/** More urgent than nothing, less than anything that somebody waits for. */
const LOW_PRIORITY = 10;

// Whoever started this may be gone.
process.once('disconnect', () => process.exit());
try {
  setPriority(LOW_PRIORITY);
} catch {
  // Not every system allows it.
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
  // The first run costs more than others, and what the model was made of is not needed any more.
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
    await answerQueries(using);
    const task = waiting.others.shift();
    if (!task) break;
    await embed(using, task, () => answerQueries(using));
  }
  isWorking = false;
}

async function answerQueries(using: Model): Promise<void> {
  for (let task = waiting.queries.shift(); task; task = waiting.queries.shift()) {
    await embed(using, task, async () => {});
  }
}

/** Does a task slice by slice; between two of them messages come in, and `giveWay` does what overtakes it. */
async function embed({ pieces, dimension, run }: Model, task: ModelTask, giveWay: () => Promise<void>) {
  const windows: number[][] = [];
  const counts: number[] = [];
  for (const text of task.texts) {
    const ofText = windowsOf(pieces.split(text, MOST_PIECES));
    counts.push(ofText.length);
    windows.push(...ofText);
  }
  const vectors = new Float32Array(windows.length * dimension);
  for (const slice of slicesOf(windows)) {
    await setImmediate();
    await giveWay();
    const found = await run(slice.map((at) => windows[at]!));
    for (const [row, at] of slice.entries()) {
      vectors.set(found.subarray(row * dimension, (row + 1) * dimension), at * dimension);
    }
  }
  report({ state: 'done', id: task.id, counts, vectors });
}

/** The places of windows, those of a length together, so that there is little to fill up. */
function slicesOf(windows: readonly (readonly number[])[]): number[][] {
  const slices: number[][] = [];
  const byLength = windows.map((_, at) => at).sort((a, b) => windows[a]!.length - windows[b]!.length);
  for (const at of byLength) {
    const slice = slices.at(-1);
    if (slice && (slice.length + 1) * (windows[at]!.length + 2) <= SLICE_PIECES) slice.push(at);
    else slices.push([at]);
  }
  return slices;
}
