import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Niceness. On a core shared with one process of normal priority, it leaves about a quarter of the CPU time, enough to
 * finish in time.
 */
const LOW_PRIORITY = 5;

/** Lowers the priority of a process with long work. Does nothing if the system refuses. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  attempt(() => setPriority(pid, LOW_PRIORITY));
}

/** Lowers the priority of the calling thread. Does nothing except on Linux. */
export function lowerPriorityOfThread(): void {
  if (process.platform !== 'linux') return;
  // `<process>/task/<thread>`
  attempt(() => setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOW_PRIORITY));
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Best effort: a normal priority only slows other work down.
  }
}
