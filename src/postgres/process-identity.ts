import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process began, so that a reused process id is not mistaken for it: on Linux the kernel's ticks since boot
 * with the boot's id, on macOS the time that `ps` prints, `dead` for a process that only waits to be reaped, and
 * undefined where the system tells neither.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'darwin') {
    try {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || 'dead';
    } catch {
      return 'dead';
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold blanks and brackets itself; behind it come the state and, 20th, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A dead process that its parent has not waited for holds nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** A process as a file can name it: a number alone may be another process after a restart. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string | undefined;
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startedAt: startTimeOf(pid) });

/** True while a process of this number runs, another one or not. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** True while the very process runs that the identity was taken of. */
export const isAlive = ({ pid, startedAt }: ProcessIdentity): boolean =>
  isPidInUse(pid) && startTimeOf(pid) === startedAt;
