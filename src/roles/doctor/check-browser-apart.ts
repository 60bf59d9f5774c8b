import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../lib/threads/low-priority.ts';
import type { BrowserAnswer, BrowserTask } from './check-browser.ts';

const PROGRAM = fileURLToPath(new URL('browser-process.ts', import.meta.url));

/** The same as `checkBrowser` in a process of its own, which gives way to what answers and is gone in the end. */
export async function checkBrowserApart(task: BrowserTask, signal: AbortSignal): Promise<BrowserAnswer> {
  const child = fork(PROGRAM, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
    signal,
  });
  lowerPriority(child.pid);
  const { promise, resolve, reject } = Promise.withResolvers<BrowserAnswer>();
  child.on('message', (answer) => resolve(answer as BrowserAnswer));
  child.on('error', reject);
  child.on('exit', (code, by) => reject(new Error(`The process that looks ended with ${by ?? code}`)));
  child.send(task, () => {});
  return await promise;
}
