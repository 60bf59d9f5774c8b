import { readdirSync, readFileSync } from 'node:fs';

/** The processes of all browsers that `parent` started, without zombies. */
export function browserProcesses(parent = process.pid): { pid: number; type: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, ppid, , session] = readFileSync(`/proc/${pid}/stat`, 'latin1')
          .split(') ')
          .at(-1)!
          .split(' ');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        return state === 'Z'
          ? []
          : [{ pid: Number(pid), ppid: Number(ppid), session: Number(session), command }];
      } catch {
        return [];
      }
    });
  const runners = all.filter(({ ppid, command }) => ppid === parent && command.includes('run-chromium.sh'));
  return all
    .filter(({ session }) => runners.some((runner) => runner.pid === session))
    .map(({ pid, command }) => ({
      pid,
      type: command.includes('run-chromium.sh') ? 'runner' : (/--type=([\w-]+)/.exec(command)?.[1] ?? 'main'),
    }));
}

/**
 * Signals a process that may end by itself. Chromium forks helpers which look
 * like its main process until they execute, and end soon after.
 */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Signals the processes of one type in all browsers that `parent` started. */
export function signalBrowsers(type: string, signal: NodeJS.Signals, parent = process.pid): void {
  for (const child of browserProcesses(parent)) if (child.type === type) signalProcess(child.pid, signal);
}
