import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True if this process may read its standard input; a background job may not read its terminal. */
export function readsTerminal(): boolean {
  if (!process.stdin.isTTY) return true;
  const [group, foreground] = processGroups();
  return foreground === '-1' || group === foreground;
}

/** The process group of this process, and the one in the foreground of its terminal: -1 without a terminal. */
function processGroups(): (string | undefined)[] {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ', 6);
    return [group, foreground];
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
      encoding: 'utf8',
    });
    return (stdout ?? '').trim().split(/\s+/);
  }
}
