import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { serveTasks } from '../lib/serve-tasks.ts';
import { buffersOf, type ContentTask, doContentTask } from './content-tasks.ts';

const LOW_PRIORITY = 5;

try {
  // `<process>/task/<thread>`. On Linux, a thread has a priority of its own: the main thread goes first.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOW_PRIORITY);
} catch {
  // Elsewhere all threads are equal.
}

serveTasks<ContentTask, ReturnType<typeof doContentTask>>(doContentTask, buffersOf);
