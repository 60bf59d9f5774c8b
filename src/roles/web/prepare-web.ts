import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { WebApp, WebState } from '../../http/console/web-app.ts';
import { takeBuildLock } from './build-lock.ts';
import { readBuiltFiles } from './built-files.ts';
import { findBuild, isBuilt, removeOldBuilds } from './find-build.ts';
import { BuildFailed, runBuild } from './run-build.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WAIT_MS = 200;

export interface PreparedWeb extends WebApp {
  /** Begins to look for a build. Does not throw, and nothing waits for it. */
  start(): void;
  /** Ends a build that runs. */
  stop(): Promise<void>;
}

interface Places {
  /** Folder of the project. */
  root?: string;
  /** Folder that keeps builds by the hash of what they were made from. */
  cache?: string;
}

/**
 * The console of this installation: built before, or now, in a process beside this one. Processes that share a folder
 * build once.
 */
export function prepareWeb(
  log: Logger,
  { root = ROOT, cache = join(root, 'node_modules/.cache/redpen-web') }: Places = {},
): PreparedWeb {
  const stopping = new AbortController();
  let state: WebState | Promise<WebState> = { state: 'building' };
  let prepared: Promise<void> = Promise.resolve();

  const prepare = async (): Promise<WebState> => {
    const { folder, isMissing } = await findBuild(root, cache);
    if (isMissing) {
      state = { state: 'building' };
      await buildOnce(root, folder, log, stopping.signal);
      await removeOldBuilds(cache, folder).catch((error) => log.debug({ err: error }, 'old builds stay'));
    }
    return { state: 'ready', files: await readBuiltFiles(folder) };
  };
  return {
    state: () => state,
    start() {
      const found = prepare().catch((error: unknown): WebState => {
        if (stopping.signal.aborted) return { state: 'building' };
        if (error instanceof BuildFailed) {
          const { message: reason, output } = error;
          log.error({ reason, output }, 'the console is missing');
          return { state: 'failed', reason, log: output };
        }
        // The page that shows the reason is public, and other errors name folders of the machine.
        const reason = 'The console cannot be prepared: the log of the service says why.';
        log.error({ err: error, reason }, 'the console is missing');
        return { state: 'failed', reason };
      });
      state = found;
      prepared = found.then((result) => {
        state = result;
      });
    },
    async stop() {
      stopping.abort();
      await prepared;
    },
  };
}

/** Builds into a folder, unless another process does. */
async function buildOnce(root: string, folder: string, log: Logger, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const release = await takeBuildLock(folder);
    if (release) {
      try {
        // Another process may have built it just before it released the lock.
        if (isBuilt(folder)) return;
        log.info({ folder }, 'building the console, which takes a few seconds');
        await runBuild(root, folder, signal);
        log.info({ ms: Math.round(performance.now() - startedAt) }, 'the console is built');
        return;
      } finally {
        await release();
      }
    }
    if (isFirst) log.info({ folder }, 'another process builds the console');
    await setTimeout(WAIT_MS, undefined, { signal, ref: false });
    if (isBuilt(folder)) return;
  }
}
