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
