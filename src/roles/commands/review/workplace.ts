import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { identityOf, isAlive, type ProcessIdentity } from '../../../postgres/process-identity.ts';
import { linkSocketFolder, unlinkSocketFolder } from '../../../postgres/socket-folder.ts';
import { endTree } from './process-tree.ts';

const PREFIX = 'redpen-review-';
/** Age from which a folder whose process is gone is removed: its service may still be ending. */
const LEFTOVER_AGE_MS = 60_000;
const WATCHER = pathToFileURL(join(import.meta.dirname, 'watch-parent.ts'));

interface Owner extends ProcessIdentity {
  /** Containers that share a temporary folder do not see the processes of one another. */
  namespace: string | undefined;
}

function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** A temporary folder and the processes that work in it, which are removed together. */
export interface Workplace {
  /** The data folder of the service. */
  dataDir: string;
  /** The folder for temporary files of the service and its browsers. */
  tempDir: string;
  /** Starts a program of Node that ends when this process does, in a process group of its own. */
  run(script: string, options: { env: NodeJS.ProcessEnv; flags?: string[]; args?: string[] }): ChildProcess;
  /** Removes a further folder at the end. */
  remove(folder: string): void;
  /** Ends all processes, and removes all folders. Nothing more may be started then. */
  clear(): Promise<void>;
  isCleared(): boolean;
}

/** Creates a workplace, and first removes those whose process was killed. */
export function openWorkplace(): Workplace {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const owner: Owner = { ...identityOf(process.pid), namespace: pidNamespace() };
  writeFileSync(join(folder, 'owner'), JSON.stringify(owner));
  const dataDir = join(folder, 'data');
  const tempDir = join(folder, 'tmp');
  mkdirSync(tempDir);
  const children = new Set<ChildProcess>();
  const folders = new Set([folder]);
  let clearing: Promise<void> | undefined;

  const clear = async () => {
    await Promise.all(
      [...children].map(async (child) => {
        if (child.pid !== undefined) await endTree(child.pid);
      }),
    );
    forgetSocket(dataDir);
    for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 10 });
  };

  return {
    dataDir,
    tempDir,
    run(script, { env, flags = [], args = [] }) {
      if (clearing) throw new Error('The review is ending.');
      const watcher = new URL(WATCHER);
      watcher.searchParams.set('folder', folder);
      const child = spawn(process.execPath, [...flags, '--import', watcher.href, script, ...args], {
        cwd: folder,
        // The first pipe ends with this process, which tells the other one.
        stdio: ['pipe', 'pipe', 'pipe'],
        // Ctrl-C in a terminal then reaches only this process.
        detached: process.platform !== 'win32',
        windowsHide: true,
        env,
      });
      child.stdin?.on('error', () => {});
      children.add(child);
      // Later, another process may have its id.
      child.once('exit', () => children.delete(child));
      return child;
    },
    remove: (path) => void folders.add(path),
    clear: () => (clearing ??= clear()),
    isCleared: () => clearing !== undefined,
  };
}

/** The link to the socket, which PostgreSQL's starter makes elsewhere if the path of the folder is long. */
function forgetSocket(dataDir: string): void {
  const cluster = join(dataDir, 'postgres');
  try {
    unlinkSocketFolder(cluster, linkSocketFolder(cluster));
  } catch {
    // There is no such link, and no place for one.
  }
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      const { uid, mtimeMs } = statSync(folder);
      if (uid !== (process.getuid?.() ?? uid) || Date.now() - mtimeMs < LEFTOVER_AGE_MS) continue;
      const owner = JSON.parse(readFileSync(join(folder, 'owner'), 'utf8')) as Owner;
      if (owner.namespace === pidNamespace() && !isAlive(owner))
        rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process removes it at the same time, or it is not one of these folders.
    }
  }
}
