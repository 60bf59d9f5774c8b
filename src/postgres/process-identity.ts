import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Start time of a process, which distinguishes it from a later process with the same id: on Linux the ticks since
 * boot with the boot id, on macOS the time from `ps`. It is `dead` for a zombie, and undefined if the system reveals
 * no start time.
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
    // The name in brackets may itself contain blanks and brackets; the state follows it, and the start time as 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds no resources any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Identity of a process that can be stored: after a restart, its id alone may belong to another process. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string | undefined;
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startedAt: startTimeOf(pid) });

/** True while any process has this id. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** True while the identified process itself is running. */
export const isAlive = ({ pid, startedAt }: ProcessIdentity): boolean =>
  isPidInUse(pid) && startTimeOf(pid) === startedAt;
