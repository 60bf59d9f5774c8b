import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

interface Process {
  pid: number;
  parent: number;
  group: number;
  /** Name of the program, which Linux shortens to 15 bytes. */
  name: string;
}

const POLL_EVERY_MS = 5;
/** PostgreSQL ends within a fraction of a second, unless the machine is very busy. */
const QUIT_WITHIN_MS = 3_000;
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Ends a process and all that it has started, and waits until they are gone. Nothing is saved: PostgreSQL is asked to
 * end at once, so that it frees its shared memory, and everything else is killed.
 */
export async function endTree(root: number): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(root), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  // A stopped process starts nothing more while its descendants are listed.
  signal(root, 'SIGSTOP');
  const tree = treeOf(root, listProcesses());
  // Chromium and PostgreSQL have process groups of their own, and go on to start processes in them.
  const groups = new Set(tree.map(({ group }) => group));
  const pids = new Set(tree.map(({ pid }) => pid));
  signal(root, 'SIGKILL');
  const began = performance.now();
  for (let left = tree; left.length > 0; left = living(pids, groups)) {
    const waited = performance.now() - began;
    if (waited > GIVE_UP_AFTER_MS) return;
    for (const { pid, name } of left) {
      signal(pid, name === 'postgres' && waited < QUIT_WITHIN_MS ? 'SIGQUIT' : 'SIGKILL');
    }
    await pause(POLL_EVERY_MS);
  }
}

const living = (pids: ReadonlySet<number>, groups: ReadonlySet<number>): Process[] =>
  listProcesses().filter(({ pid, group }) => pids.has(pid) || groups.has(group));

/** A process and its descendants, without this process and its group. */
function treeOf(root: number, all: readonly Process[]): Process[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter(({ pid }) => pid === root);
  for (const each of found) found.push(...(byParent.get(each.pid) ?? []));
  return found;
}

/** All processes that are not dead. A zombie is dead, and only waits for its parent. */
function listProcesses(): Process[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

function readProc(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name in parentheses may itself contain blanks and parentheses.
      const end = stat.lastIndexOf(')');
      const [state, parent, group] = stat.slice(end + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const program = stat.slice(stat.indexOf('(') + 1, end);
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), name: program }];
    } catch {
      return [];
    }
  });
}

function readPs(): Process[] {
  const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,state=,comm='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = '', path = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    const name = path.slice(path.lastIndexOf('/') + 1);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), name }];
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
