import { fstatSync, statSync } from 'node:fs';

interface Process {
  pid: number;
  stdout: { isTTY?: boolean; fd: number };
}

/** The number of the device behind an open file or a path; undefined if there is none. */
function deviceOf(file: number | string): number | undefined {
  try {
    return (typeof file === 'number' ? fstatSync(file) : statSync(file)).rdev;
  } catch {
    return undefined;
  }
}

/**
 * True if a person reads the output and no log keeps it. `docker run -t` gives the first process of a container a terminal, and
 * Docker keeps what is printed there: container runtimes bind that terminal to `/dev/console`. The terminal of `docker exec`, of
 * a development container or of a machine is another device.
 */
export const isWatched = (
  { pid, stdout }: Process,
  device: (file: number | string) => number | undefined = deviceOf,
): boolean => stdout.isTTY === true && pid !== 1 && device(stdout.fd) !== device('/dev/console');
