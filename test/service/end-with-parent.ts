import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Kills a child when this process ends, however it ends: a shell waits for the end of a pipe, which the system closes. The
 * shell is in a session of its own, since the keys of a terminal end the tests and not what cleans up after them.
 */
export function endWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watcher = spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
  // Process ids are reused.
  child.once('exit', () => watcher.kill('SIGKILL'));
}
