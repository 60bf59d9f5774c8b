import { readdirSync, readFileSync } from 'node:fs';

/** Bytes that a process and all that it started hold, memory that several of them share counted once. */
export function memoryOfTree(root: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024)
    .reduce((sum, bytes) => sum + bytes, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
