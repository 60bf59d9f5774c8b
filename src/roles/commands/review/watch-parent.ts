// Loaded into a process of a review before its own program: ends the process once its parent is gone, however that has
// ended, and then removes the folder of the review. The parent holds the other end of standard input.
import { rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const folder = new URL(import.meta.url).searchParams.get('folder');

if (isMainThread && folder !== null) {
  let isOrphan = false;
  const end = () => {
    if (isOrphan) return;
    isOrphan = true;
    // A program that handles the signal also ends what it has started.
    if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'SIGTERM');
    else process.exit(1);
  };
  process.on('exit', () => {
    if (isOrphan) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  process.stdin.on('error', end).on('close', end).resume();
  (process.stdin as typeof process.stdin & { unref?(): void }).unref?.();
}
