import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { RedpenError } from '../../../../packages/client/src/errors.ts';
import { CLIENT_VARIABLES, type Config, readConfig } from '../../../config.ts';
import { ApiError } from '../../../lib/errors.ts';
import { explain } from '../../settings/explain-failure.ts';
import { mayServe, urlOfService } from '../../setup/service-address.ts';
import { readable } from '../review/child-output.ts';
import { runService, ServiceDied } from '../review/embedded-service.ts';
import { openWorkplace, type Workplace } from '../review/workplace.ts';
import { readFolderKey } from './folder-key.ts';
import type { ServiceFinder, ServicePlace } from './service-place.ts';

/** Time for which another service may begin or end on the folder. */
const OTHER_STARTS_MS = 60_000;
const LOOK_EVERY_MS = 500;
/** A service ends within 9 seconds, however much it has to do. */
const STOP_WITHIN_MS = 10_000;

interface FolderOptions {
  /** The data folder. */
  folder: string;
  /** The API key; undefined for the only one. */
  keyId: string | undefined;
  environment: NodeJS.ProcessEnv;
  /** Takes lines for people. */
  say(line: string): void;
}

interface OwnService {
  url: string;
  /** Ends the service in order. */
  stop(): Promise<void>;
}

/**
 * The service on a data folder: one that runs there, or else one that is started, and that ends with `close` or with this
 * process. Once a service of another process has ended, the next request starts one.
 */
export function folderService({ folder, keyId, environment, say }: FolderOptions): ServiceFinder {
  const env = settingsOf(environment, folder);
  let own: Promise<OwnService> | undefined;
  let found: Promise<ServicePlace> | undefined;
  let isClosed = false;

  async function startOwn(): Promise<string> {
    say(`Starting Redpen on ${folder}.`);
    const starting = startOn(env, {
      say,
      onEnd: () => {
        own = undefined;
        found = undefined;
      },
    });
    own = starting;
    try {
      const { url } = await starting;
      say(`Redpen serves the assistant at ${url}, until it ends.`);
      return url;
    } catch (error) {
      own = undefined;
      throw error;
    }
  }

  async function findUrl(config: Config): Promise<string> {
    for (const end = performance.now() + OTHER_STARTS_MS; ; await pause(LOOK_EVERY_MS)) {
      if (isClosed) throw new RedpenError('UNAVAILABLE', 'The command is ending.');
      if (mayServe(config)) return urlOfService(config)!;
      try {
        return await startOwn();
      } catch (error) {
        if (!isInUse(error) || performance.now() > end) throw error;
      }
    }
  }

  async function open(): Promise<ServicePlace> {
    try {
      const config = readConfig(env);
      const url = await findUrl(config);
      return { url, credentials: await readFolderKey(config, keyId) };
    } catch (error) {
      if (error instanceof ApiError || error instanceof RedpenError)
        throw new RedpenError('FAILED_PRECONDITION', error.message);
      throw new RedpenError('FAILED_PRECONDITION', `Redpen cannot run on ${folder}. ${explain(error)}`, {
        cause: error,
      });
    }
  }

  return {
    find() {
      if (found === undefined) {
        const opening = open();
        found = opening;
        opening.catch(() => {
          if (found === opening) found = undefined;
        });
      }
      return found;
    },
    forget() {
      // The own service says itself when it ends.
      if (own === undefined) found = undefined;
    },
    async close() {
      isClosed = true;
      const service = await own?.catch(() => undefined);
      await service?.stop();
    },
  };
}

/** The settings of a service on the folder: those of the command, without what is for clients and for another address. */
const settingsOf = (environment: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !CLIENT_VARIABLES.includes(name) && name !== 'REDPEN_PUBLIC_URL',
    ),
  ),
  REDPEN_DATA_DIR: folder,
});

const isInUse = (error: unknown): boolean =>
  error instanceof ServiceDied && /\bis in use by process\b/.test(error.message);

async function startOn(
  env: NodeJS.ProcessEnv,
  { say, onEnd }: { say(line: string): void; onEnd(): void },
): Promise<OwnService> {
  const workplace = openWorkplace();
  try {
    const { url, child, died } = await runService(workplace, env, (line) => {
      if (isForPeople(line)) say(readable(line));
    });
    died.catch(() => {
      onEnd();
      void workplace.clear();
    });
    return { url, stop: () => stop(child, workplace) };
  } catch (error) {
    await workplace.clear();
    throw error;
  }
}

/** Lets the service finish and close its database. What then still runs is ended. */
async function stop(child: ChildProcess, workplace: Workplace): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    // The service ends with its standard input.
    child.stdin?.end();
    await Promise.race([ended, pause(STOP_WITHIN_MS, undefined, { ref: false })]);
  }
  await workplace.clear();
}

/** True for warnings and errors, and for work that delays the start. */
function isForPeople(line: string): boolean {
  return /"level":"(?:warn|error|fatal)"|"msg":"(?:migrating the schema|schema migrated)"/.test(line);
}
