import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into a process of the service with `--import`. On SIGUSR2 it collects the garbage and writes what is left to
// MEMORY_FILE, so that the memory that a process needs is not confused with garbage that it has not collected yet.

/** Memory of the main thread in bytes, after a collection. */
export interface MemoryReading {
  /** Epoch milliseconds, by the clock of the process. */
  at: number;
  resident: number;
  /** Objects of JavaScript and buffers outside of the heap. */
  held: number;
  /** Pages of the heap, with what is free in them. */
  heap: number;
}

const { MEMORY_FILE } = process.env;

if (isMainThread && MEMORY_FILE !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  process.on('SIGUSR2', () => {
    // The second collection takes what finalizers of the first one have freed. This kind also gives pages back.
    for (let turn = 0; turn < 2; turn++) collect({ type: 'major', flavor: 'last-resort' });
    const { rss: resident, heapUsed, heapTotal: heap, external } = process.memoryUsage();
    const reading: MemoryReading = { at: Date.now(), resident, held: heapUsed + external, heap };
    writeFileSync(MEMORY_FILE, JSON.stringify(reading));
  });
}
