import { readdirSync, readFileSync } from 'node:fs';

/** Ids of a process and its descendants. */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const pids = [root];
  for (const pid of pids) pids.push(...(children.get(pid) ?? []));
  return pids;
}

/** Fields of `/proc/<pid>/stat` from the state on; the name before it may contain spaces. */
const statOf = (pid: number): string[] => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];

/** Memory in bytes of a process and its descendants. Sums their PSS, so that shared pages count once. */
export const memoryOfTree = (root: number): number =>
  treeOf(root)
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024)
    .reduce((sum, bytes) => sum + bytes, 0);

const TICKS_PER_SECOND = 100;

/** Processor time in seconds that a process and its descendants have used, by process. */
export const processorSecondsOfTree = (root: number): Map<number, number> =>
  new Map(
    treeOf(root).map((pid) => {
      const fields = statOf(pid);
      return [pid, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND];
    }),
  );

/** Processor time in seconds of the connections to a database; zero if its server runs on another machine. */
export const processorSecondsOfDatabase = (name: string): number =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && read(`/proc/${entry}/cmdline`).includes(` ${name} `))
    .filter((entry) => read(`/proc/${entry}/cmdline`).startsWith('postgres: '))
    .map((entry) => statOf(Number(entry)))
    .map((fields) => (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND)
    .reduce((sum, seconds) => sum + seconds, 0);

/** Returns an empty string if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Resident memory in bytes of a process alone. */
export const residentMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
