import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connections/connect.ts';
import type { Db } from '../../db/tables.ts';
import type { Bus } from '../../lib/bus/bus.ts';
import { findChromium } from '../../outside/browser/find-chromium.ts';
import type { Embeddings, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import { blobAddressOf, blobSettingOf, providersOf } from '../setup/places.ts';
import { type Finding, failed, ok } from './check.ts';
import { checkBlobs } from './check-blobs.ts';
import { browserFailure, checkBrowserApart } from './check-browser.ts';
import { embeddingsFailure } from './check-embeddings.ts';
import { checkMail } from './check-mail.ts';
import { checkModel } from './check-model.ts';
import { judgeReplicas } from './check-replicas.ts';
import type { HealthWatch, Watched } from './health-watch.ts';
import { watchedClock } from './watched-clock.ts';

interface Service {
  db: Db;
  database: Pick<Database, 'kind' | 'replicas'>;
  health: Pick<HealthWatch, 'note'>;
  bus: Pick<Bus, 'isConnected'>;
  outside: { embeddings: Embeddings };
}

const QUICK_MS = 15_000;
const SLOW_MS = 90_000;
/**
 * A browser takes a second of CPU time, which the first requests after a start need, and which is lost on a service that runs
 * for one command.
 */
const BROWSER_AFTER_MS = 30_000;

/** Dependencies of a process by its roles, except database and disks, and its clock. */
export function watchedChecks(config: Config, dataDir: string, service: Service): Watched[] {
  const roles = new Set(config.REDPEN_ROLES);
  const works = roles.has('worker');
  const asks = works || roles.has('api');
  return [
    ...(asks ? [files(config, dataDir)] : []),
    ...(works ? [browser(config, service)] : []),
    ...(asks ? [model(config), embeddings(config, service)] : []),
    ...(works && config.REDPEN_SMTP_URL !== undefined ? [mail(config)] : []),
    ...(config.REDIS_URL === undefined ? [] : [redis(service)]),
    ...replicas(service),
    // The embedded server has the clock of this machine.
    ...(service.database.kind === 'server' ? [watchedClock(service.db)] : []),
  ];
}

function replicas({ database, health }: Service): Watched[] {
  const servers = database.replicas;
  if (servers === undefined) return [];
  const judge = () => judgeReplicas(servers.states());
  servers.onChange(() => health.note('replicas', judge()));
  return [
    {
      name: 'replicas',
      timeoutMs: SLOW_MS,
      async run() {
        await servers.look();
        return judge();
      },
      regularly: 'same',
    },
  ];
}

function files(config: Config, dataDir: string): Watched {
  const address = blobAddressOf(config, dataDir);
  const setting = blobSettingOf(config);
  return {
    name: 'files',
    timeoutMs: QUICK_MS,
    run: () => checkBlobs({ address, setting, mayMake: true, timeoutMs: QUICK_MS / 2 }),
    // Requests to a bucket cost money.
    regularly: address.startsWith('file:') ? 'same' : 'nothing',
  };
}

function browser(
  { CHROME_PATH: chromePath, REDPEN_BROWSER_SANDBOX: sandbox }: Config,
  { health }: Service,
): Watched {
  const isMissing = async (): Promise<Finding | undefined> =>
    chromePath === undefined
      ? undefined
      : await findChromium({ chromePath }).then(
          () => undefined,
          (error: unknown) => browserFailure(error, chromePath),
        );
  let isFirst = true;
  return {
    name: 'browser',
    timeoutMs: SLOW_MS,
    async run(signal) {
      const missing = await isMissing();
      if (missing) return missing;
      if (isFirst) await sleep(BROWSER_AFTER_MS, undefined, { signal, ref: false });
      isFirst = false;
      const found = await checkBrowserApart({ chromePath, sandbox }, signal);
      if (found.fonts.status !== 'skipped') health.note('fonts', found.fonts);
      return found.browser;
    },
    regularly: isMissing,
  };
}

function model(config: Config): Watched {
  const settings = {
    providers: providersOf(config),
    defaultModel: config.REDPEN_MODEL,
    allowedModels: config.REDPEN_MODELS,
  };
  return {
    name: 'model',
    timeoutMs: QUICK_MS,
    run: (signal) => checkModel({ ...settings, signal }),
    regularly: 'nothing',
  };
}

function embeddings({ REDPEN_EMBEDDINGS: choice }: Config, { outside }: Service): Watched {
  let isFirst = true;
  return {
    name: 'embeddings',
    timeoutMs: SLOW_MS,
    async run(signal) {
      const isNeeded = choice !== 'local' || !isFirst;
      isFirst = false;
      if (!isNeeded) return ok('The bundled model starts when it is first needed.');
      try {
        await outside.embeddings.current.embedQuery('A red pen marks what is wrong.', { signal });
        return ok(`${choice} answers.`);
      } catch (error) {
        return embeddingsFailure(error as EmbedFailure, choice);
      }
    },
    regularly: 'nothing',
  };
}

const mail = (config: Config): Watched => ({
  name: 'mail',
  timeoutMs: QUICK_MS,
  run: () => checkMail(config, QUICK_MS / 2),
  regularly: 'nothing',
});

const redis = ({ bus }: Service): Watched => ({
  name: 'redis',
  timeoutMs: QUICK_MS,
  run: async () =>
    bus.isConnected()
      ? ok('Messages are delivered.')
      : failed('Redis is not connected.', 'Check REDIS_URL.', REDIS_UNUSABLE),
  regularly: 'same',
});

/** Public message: live documents reach other processes late. */
export const REDIS_UNUSABLE = 'Redis cannot be used (REDIS_URL).';
