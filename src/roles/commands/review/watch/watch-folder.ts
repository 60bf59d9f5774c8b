import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeSource } from './change.ts';
import { compareSnapshots, pagesOfFiles, type Snapshot } from './pages-of-files.ts';

/** Editors and generators write several files, each in several steps. */
const SETTLE_MS = 200;
/** Mounted folders of containers and networks send no events. */
const LOOK_EVERY_MS = 2_000;

interface FolderOptions {
  /** The address at which the folder is served. */
  origin: string;
  /** A folder within it that holds the reports. */
  except: string | undefined;
}

/**
 * Watches the files of a folder. Events only say when to look: which files changed follows from their times and sizes,
 * because systems name files in events differently, or not at all.
 */
export async function watchFolder(folder: string, { origin, except }: FolderOptions): Promise<ChangeSource> {
  let before = await readSnapshot(folder, except);
  let woken = Promise.withResolvers<void>();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, { recursive: true, persistent: false }, () => woken.resolve());
    // Without events, looking at intervals remains.
    watcher.on('error', () => {});
  } catch {
    // There may be more files than the system watches.
  }

  /** The files once they have been the same for a moment. */
  const settled = async (signal: AbortSignal): Promise<Snapshot> => {
    for (let last = await readSnapshot(folder, except); ; ) {
      await pause(SETTLE_MS, undefined, { signal });
      const next = await readSnapshot(folder, except);
      if (isSame(last, next)) return next;
      last = next;
    }
  };

  return {
    async ready() {},
    async found() {},
    async next(known, signal) {
      for (;;) {
        woken = Promise.withResolvers();
        if (!isSame(before, await readSnapshot(folder, except))) {
          const after = await settled(signal);
          const files = compareSnapshots(before, after);
          before = after;
          if (Object.values(files).some(({ length }) => length > 0))
            return pagesOfFiles(files, known, origin);
        }
        const stop = new AbortController();
        const either = AbortSignal.any([signal, stop.signal]);
        const later = pause(LOOK_EVERY_MS, undefined, { signal: either }).catch(() => {});
        await Promise.race([woken.promise, later]);
        stop.abort();
        signal.throwIfAborted();
      }
    },
    // The files can always be read.
    forget() {},
    close: () => watcher?.close(),
  };
}

const isSame = (one: Snapshot, other: Snapshot): boolean =>
  one.size === other.size && [...one].every(([name, state]) => other.get(name) === state);

/** Backups of editors, which no page shows. */
const isBackup = (name: string): boolean => /~$|\.(tmp|bak|new)$|^#.*#$/.test(name);

async function readSnapshot(root: string, except: string | undefined): Promise<Snapshot> {
  const found = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    // It may disappear at any time.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === except) continue;
      if (entry.isDirectory()) await visit(path);
      else if (!isBackup(entry.name)) {
        const state = await stat(path).catch(() => undefined);
        if (!state?.isFile()) continue;
        const name = relative(root, path).split(sep).join('/');
        found.set(name, `${state.size} ${state.mtimeMs} ${state.ino}`);
      }
    }
  };
  await visit(root);
  return found;
}
