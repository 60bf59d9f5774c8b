import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Version {
  version: string;
  /** Commit of the checkout or the image; null if unknown. */
  commit: string | null;
}

/** The version of these files. */
export const version: string = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

/** User agent of outgoing requests. */
export const USER_AGENT = `Redpen/${version}`;

let own: Version | undefined;

/** Version and commit of these files. */
export function ownVersion(): Version {
  own ??= { version, commit: findCommit(ROOT) };
  return own;
}

/** Version and commit as one line for people. */
export const describeVersion = ({ version, commit }: Version = ownVersion()): string =>
  commit === null ? `Redpen ${version}` : `Redpen ${version} (commit ${commit})`;

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The commit of a git clone, or the content of a file `.commit`, which the image has. */
export function findCommit(root: string): string | null {
  const found = commitOfClone(join(root, '.git')) ?? readLine(join(root, '.commit'));
  return found !== undefined && COMMIT.test(found) ? found : null;
}

function commitOfClone(path: string): string | undefined {
  // In a worktree, `.git` is a file that contains the path of the folder.
  const folder = resolve(path, '..', /^gitdir: (.+)$/.exec(readLine(path) ?? '')?.[1] ?? path);
  const head = readLine(join(folder, 'HEAD'));
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (ref === undefined) return head;
  const shared = resolve(folder, readLine(join(folder, 'commondir')) ?? '.');
  const inFile = readLine(join(folder, ref)) ?? readLine(join(shared, ref));
  if (inFile !== undefined) return inFile;
  const packed = readText(join(shared, 'packed-refs')) ?? '';
  return packed
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, name]) => name === ref)?.[0];
}

const readLine = (path: string): string | undefined => readText(path)?.split('\n')[0]?.trim();

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
