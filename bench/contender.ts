import type { ChildProcess } from 'node:child_process';

/** The first message of a child process. Throws if the process ends without one. */
export function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((done, fail) => {
    child.once('message', (message) => done(message as T));
    child.once('error', fail);
    child.once('exit', (code, signal) =>
      fail(
        new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code ?? signal} and without a result.`),
      ),
    );
  });
}
