import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A quarter of what a process that answers gets of a busy processor: enough to end in time on a busy machine. */
const LOW = 5;

/** Lets a process that works for long give way to those that answer. Where the system refuses, all stay equal. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  attempt(() => setPriority(pid, LOW));
}

/** The same for the thread that calls: on Linux each has a priority of its own. */
export function lowerPriorityOfThread(): void {
  if (process.platform !== 'linux') return;
  // `<process>/task/<thread>`
  attempt(() => setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOW));
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // It is slower for others then, and works all the same.
  }
}
