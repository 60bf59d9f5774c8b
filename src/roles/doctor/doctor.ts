import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { listAllowedHosts } from '../../store/platform/allowed-host-rows.ts';
import { blobAddressOf, blobSettingOf, placesOf, providersOf } from '../setup/places.ts';
import { isReadable } from '../setup/watch-allowed-hosts.ts';
import type { Outcome, Setup } from '../terminal/outcome.ts';
import { type Finding, failed, withinTime } from './check.ts';
import { checkBackups } from './check-backups.ts';
import { checkBlobs } from './check-blobs.ts';
import { type BrowserAnswer, checkBrowser } from './check-browser.ts';
import { checkClock, createClocks } from './check-clock.ts';
import { checkDatabase, checkExtension, type Opened, openForCheck } from './check-database.ts';
import { checkDisk } from './check-disk.ts';
import { checkEmbeddings } from './check-embeddings.ts';
import { checkKeys } from './check-keys.ts';
import { checkMail } from './check-mail.ts';
import { checkModel } from './check-model.ts';
import { builtAt, checkProgram } from './check-program.ts';
import { checkRedis } from './check-redis.ts';
import { checkReplicas } from './check-replicas.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { type Check, printChecks, printJson, type Screen, worstOf } from './print-checks.ts';
import { secretsCutter } from './without-secrets.ts';

const QUICK_MS = 15_000;
/** A check may have to unpack a browser, build a model or start a database. */
const SLOW_MS = 90_000;
/** Longest wait for the quick checks before the heavy ones start. */
const CALM_WITHIN_MS = 2_000;

interface Options {
  json: boolean;
  screen?: Screen;
}

/**
 * Checks everything the service depends on, by the same means as the service. Can run beside a running service and
 * creates nothing. The exit code is 1 if a check failed.
 */
export async function runDoctor(
  readSetup: () => Setup,
  { json, screen = ownScreen() }: Options,
): Promise<Outcome> {
  const checks = await examine(readSetup);
  return {
    output: json ? printJson(checks) : printChecks(checks, screen),
    exitCode: worstOf(checks) === 'failed' ? 1 : 0,
    isAnswer: true,
  };
}

const ownScreen = (): Screen => ({
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
  hasColors: process.stdout.isTTY === true && process.stdout.hasColors(),
});

async function examine(readSetup: () => Setup): Promise<Check[]> {
  let setup: Setup;
  try {
    setup = readSetup();
  } catch (error) {
    const found = (error as Error).message.replace(/\s*\n\s*/g, ' ');
    return [{ name: 'settings', ms: 0, ...failed(found) }];
  }
  const { config } = setup;
  const cut = secretsCutter(config);
  const opening = openForCheck(config, setup.log);
  try {
    const checks = await Promise.all(examinations(setup, opening));
    return checks.map((check) => ({
      ...check,
      found: cut(check.found),
      ...(check.advice !== undefined && { advice: cut(check.advice) }),
    }));
  } finally {
    const opened = await opening;
    if (opened.kind === 'open') await opened.database.close();
  }
}

/** The database of a service that can be used, for checks beside that of the database itself. */
const databaseOf = (opened: Opened) => (opened.kind === 'open' ? opened.database : undefined);

// A finding may bring its own time, if its work is part of another check.
const timed = async (
  name: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Finding & { ms?: number }>,
): Promise<Check> => {
  const began = performance.now();
  const finding = await withinTime(name, timeoutMs, work);
  return { name, ms: performance.now() - began, ...finding };
};

function examinations({ config }: Setup, opening: Promise<Opened>): Promise<Check>[] {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const clocks = createClocks();
  const providers = providersOf(config);
  const ofDatabase = [
    timed('database', SLOW_MS, async () => checkDatabase(await opening, clocks, config.DATABASE_URL)),
    timed('replicas', SLOW_MS, async () => checkReplicas(await opening)),
    timed('pgvector', SLOW_MS, async () => checkExtension(await opening)),
  ];
  const disk = timed('disk', QUICK_MS, () =>
    checkDisk({ places: placesOf(config, dataDir), reserveMb: config.REDPEN_DISK_RESERVE }),
  );
  const files = timed('files', QUICK_MS, () =>
    checkBlobs({
      address: blobAddressOf(config, dataDir),
      setting: blobSettingOf(config),
      mayMake: false,
      timeoutMs: QUICK_MS / 2,
      onDate: (date) => clocks.noteDate('the store of files', date),
    }),
  );
  const backups = timed('backup', QUICK_MS, () => checkBackups(config, Date.now()));
  const keys = timed('keys', SLOW_MS, async () => checkKeys(databaseOf(await opening), config, Date.now()));
  const model = timed('model', QUICK_MS, (signal) =>
    checkModel({
      providers,
      defaultModel: config.REDPEN_MODEL,
      allowedModels: config.REDPEN_MODELS,
      signal,
      clocks,
    }),
  );
  const mail = timed('mail', QUICK_MS, () => checkMail(config, QUICK_MS / 2));
  const redis = timed('redis', QUICK_MS, () => checkRedis(config.REDIS_URL, QUICK_MS / 2));
  const webhooks = timed('webhooks', SLOW_MS, async (signal) => {
    const used = databaseOf(await opening);
    // A database of an earlier version lacks the table.
    const stored = used === undefined ? [] : await listAllowedHosts(used.db).catch(() => []);
    const allowHosts = [...config.REDPEN_ALLOW_HOSTS, ...stored.map(({ entry }) => entry)];
    return await checkWebhooks(used, createGuard({ allowHosts: allowHosts.filter(isReadable) }), signal);
  });
  const quick = [...ofDatabase, disk, files, backups, keys, model, mail, redis, webhooks];
  // Programs that start take all processors for a moment, so that other checks would seem slow.
  const calm = Promise.race([Promise.all(quick), sleep(CALM_WITHIN_MS)]);
  const browserAnswer = Promise.withResolvers<BrowserAnswer>();
  const browser = calm.then(() =>
    timed('browser', SLOW_MS, async (signal) => {
      const { CHROME_PATH: chromePath, REDPEN_BROWSER_SANDBOX: sandbox } = config;
      browserAnswer.resolve(await checkBrowser({ chromePath, sandbox, signal }));
      return (await browserAnswer.promise).browser;
    }),
  );
  const fonts = timed('fonts', SLOW_MS + CALM_WITHIN_MS, async () => (await browserAnswer.promise).fonts);
  const embeddings = calm.then(() =>
    timed('embeddings', SLOW_MS, (signal) =>
      checkEmbeddings({ choice: config.REDPEN_EMBEDDINGS, providers, signal }),
    ),
  );
  const others = [
    ...ofDatabase,
    disk,
    files,
    backups,
    keys,
    browser,
    fonts,
    model,
    embeddings,
    mail,
    redis,
    webhooks,
  ];
  // The clock check needs the answers of all other machines.
  const clock = Promise.all(others).then(() =>
    timed('clock', QUICK_MS, async () => checkClock(clocks, builtAt())),
  );
  return [timed('program', QUICK_MS, async () => checkProgram()), ...others, clock];
}
