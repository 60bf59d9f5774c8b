import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

// Loaded into a process of the service, and so into its threads, with `--import`. On SIGUSR2 all of them collect their
// garbage, and MEMORY_FILE gets what is left, so that the memory that a process needs is not confused with garbage that it
// has not collected yet.

/** Memory of a process in bytes, after a collection. */
export interface MemoryReading {
  /** Epoch milliseconds, by the clock of the process. */
  at: number;
  resident: number;
  /** Objects of JavaScript and buffers outside of the heaps, in all threads. */
  held: number;
  /** Pages of the heaps, with what is free in them. */
  heap: number;
}

type Heap = Pick<MemoryReading, 'held' | 'heap'>;
type Message = { collect: true } | ({ thread: number } & Heap);

/** A thread that works on a task for longer is left out, and the next reading has it again. */
const ANSWER_MS = 2_000;

const { MEMORY_FILE } = process.env;

if (MEMORY_FILE !== undefined) {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  const collect = (): Heap => {
    // The second collection takes what finalizers of the first one have freed. This kind also gives pages back.
    for (let turn = 0; turn < 2; turn++) gc({ type: 'major', flavor: 'last-resort' });
    const { heapUsed, heapTotal: heap, external } = process.memoryUsage();
    return { held: heapUsed + external, heap };
  };
  const channel = new BroadcastChannel('memory-probe');
  channel.unref();
  const threads = new Map<number, Heap>();
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if (isMainThread && 'thread' in message) threads.set(message.thread, message);
    else if (!isMainThread && 'collect' in message) channel.postMessage({ thread: threadId, ...collect() });
  };
  if (isMainThread) {
    process.on('SIGUSR2', async () => {
      threads.clear();
      channel.postMessage({ collect: true });
      await sleep(ANSWER_MS);
      const all = [collect(), ...threads.values()];
      const sum = (of: keyof Heap) => all.reduce((total, heap) => total + heap[of], 0);
      const { rss: resident } = process.memoryUsage();
      const reading: MemoryReading = { at: Date.now(), resident, held: sum('held'), heap: sum('heap') };
      writeFileSync(MEMORY_FILE, JSON.stringify(reading));
    });
  }
}
