import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { createUserTokens } from './access/user-token.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/connections/connect.ts';
import { openNotifyBus } from './db/connections/notify-bus.ts';
import { isUnavailable } from './db/database-errors.ts';
import { logFault } from './db/log-fault.ts';
import { migrate, pendingMigrations, refuseNewerSchema } from './db/migrate.ts';
import { refuseMoved } from './db/moved.ts';
import type { Deps, Settings, Storage } from './deps.ts';
import { type Authenticator, createAuthenticator } from './http/request/authenticate.ts';
import { type JobQueue, startJobQueue } from './jobs/queue.ts';
import type { Bus } from './lib/bus/bus.ts';
import { createInProcessBus } from './lib/bus/in-process-bus.ts';
import { LogThrottle } from './lib/log-throttle.ts';
import { USER_AGENT, version } from './lib/version.ts';
import { createScorer } from './memory/scoring/scorer.ts';
import type { Browser } from './outside/browser/browser.ts';
import { createSandbox } from './outside/browser/chromium-sandbox.ts';
import type { BrowserSettings } from './outside/browser/launch-browser.ts';
import { lazyBrowser } from './outside/browser/lazy-browser.ts';
import { createBrowserAgent } from './outside/browser-agent/create-browser-agent.ts';
import { createEmbeddings } from './outside/embed/create-embeddings.ts';
import { createReadFile } from './outside/files/create-read-file.ts';
import { createLighthouse } from './outside/lighthouse/create-lighthouse.ts';
import { createMail } from './outside/mail/create-mail.ts';
import type { ConnectMcp } from './outside/mcp/mcp.ts';
import { createModels } from './outside/models/create-models.ts';
import type { Models } from './outside/models/models.ts';
import { createAllowedHosts } from './outside/net/allow-list.ts';
import { createDnsCache } from './outside/net/dns-cache.ts';
import { createSafeFetch } from './outside/net/safe-fetch.ts';
import { createGuard, type Guard } from './outside/net/ssrf-guard.ts';
import { createClientDocuments } from './outside/oauth/client-documents.ts';
import { openRedisBus } from './outside/redis/redis-bus.ts';
import { openArchiveStore } from './outside/storage/archive-store.ts';
import type { BlobStore } from './outside/storage/blob-store.ts';
import { closeBlobFolder, openBlobStore } from './outside/storage/open-blob-store.ts';
import { refusePgliteFolder } from './postgres/pglite-folder.ts';
import { closeToOthers, DATA_FOLDER } from './postgres/private-folder.ts';
import { sharedContentPool } from './realtime/document/content-pool.ts';
import { createRealtime, type Realtime } from './realtime/realtime.ts';
import { createScheduledBackups, type ScheduledBackups } from './roles/backup/scheduled-backups.ts';
import { failed } from './roles/doctor/check.ts';
import { browserFailure } from './roles/doctor/check-browser.ts';
import { createHealthWatch, type HealthWatch } from './roles/doctor/health-watch.ts';
import { watchBlobs, watchEmbeddings, watchMail, watchModels } from './roles/doctor/watch-use.ts';
import { REDIS_UNUSABLE } from './roles/doctor/watched-checks.ts';
import { secretsCutter } from './roles/doctor/without-secrets.ts';
import { JOBS } from './roles/jobs/index.ts';
import { logRefusals } from './roles/log/log-refusals.ts';
import { databaseOptions } from './roles/setup/database-options.ts';
import { settingsOf } from './roles/setup/endpoint-settings.ts';
import { type HeldKeys, holdKeys } from './roles/setup/hold-keys.ts';
import {
  type InitialWorkspace,
  initWorkspace,
  readInitialWorkspace,
  warnOfOpenSignup,
} from './roles/setup/init-workspace.ts';
import { blobAddressOf, blobSettingOf, placesOf, providersOf } from './roles/setup/places.ts';
import { countingBlobs, createStorage } from './roles/setup/storage.ts';
import { watchAllowedHosts } from './roles/setup/watch-allowed-hosts.ts';
import { SendSlots } from './webhooks/deliver/send-slots.ts';
import { carryOverWebhookSettings } from './webhooks/settings/carry-over-settings.ts';

/** Dependencies of a process, independent of its roles. */
export interface Booted extends Deps {
  jobs: JobQueue;
  authenticator: Authenticator;
  realtime: Realtime;
  /** Carries messages between the processes of the service. */
  bus: Bus;
  /** Latest findings about the browser, files, models and other dependencies. */
  health: HealthWatch;
  /** Undefined if the operator has named no place for backups. */
  backups: ScheduledBackups | undefined;
  /** Closes everything in an order in which nothing is lost. */
  close(): Promise<void>;
}

/** Replacements for parts of the configuration, for tests. */
export interface Overrides {
  bus: Bus;
  models: Models;
  browser(settings: BrowserSettings & { maxPages: number }): Browser;
  settings: Partial<Settings>;
}

/** Inputs of all steps of a boot. */
interface Boot {
  config: Config;
  log: Logger;
  dataDir: string;
  initialWorkspace: InitialWorkspace | undefined;
  standIns: Partial<Overrides>;
  database: Database;
  onError(error: Error): void;
}

/** Webhooks that the process sends at once. */
const WEBHOOKS_IN_FLIGHT = 512;

/**
 * Builds all dependencies. Nothing else opens a database, a browser or outbound connections. `signal` ends the wait for
 * a database server that is starting: then it rejects with the reason of the signal.
 */
export async function createDeps(
  config: Config,
  log: Logger,
  standIns: Partial<Overrides> = {},
  signal?: AbortSignal,
): Promise<Booted> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const onError = (error: Error) => logFault(log, error, 'background work fails');
  const initialWorkspace = readInitialWorkspace(config);
  if (config.DATABASE_URL === undefined) refusePgliteFolder(dataDir);
  else closeToOthers(dataDir, { ...DATA_FOLDER, log });
  closeBlobFolder(blobAddressOf(config, dataDir), log);
  const database = await openDatabase(databaseOptions(config, log, onError, { readsReplicas: true, signal }));
  try {
    return await assemble({ config, log, dataDir, initialWorkspace, standIns, database, onError });
  } catch (error) {
    // A start writes to the database; the reason why it refuses writes is clearer than the failed statement.
    const [fault] = isUnavailable(error) ? database.faults() : [];
    await database.close().catch(onError);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

async function assemble(boot: Boot): Promise<Booted> {
  const { config, log, dataDir, database, onError, standIns } = boot;
  const { db } = database;
  for (const sentence of database.advice) log.warn(sentence);
  const keys = await prepareData(boot);
  const { keyring } = keys;
  warnOfOpenSignup(config, log);
  const storage = await createStorage({
    db,
    places: placesOf(config, dataDir),
    reserveMb: config.REDPEN_DISK_RESERVE,
    faultsOfDatabase: database.faults,
    limitBytes: config.REDPEN_STORED_MB && config.REDPEN_STORED_MB * 1_048_576,
    isCounting: true,
    log,
  });
  const jobs = await startJobQueue(database, JOBS, onError, {
    maxWaiting: config.REDPEN_WAITING_JOBS,
    storage,
    onFailed: ({ error, ...job }) => log.warn({ ...job, err: error }, 'job failed after its last attempt'),
  });
  const health = createHealthWatch({ log, hideSecrets: secretsCutter(config) });
  const { outside, guard, close: closeOutside, closeMail } = await openOutside(boot, storage, health);
  const scorer = createScorer(database.connection);
  const userTokens = createUserTokens(db, keyring);
  const authenticator = createAuthenticator(db, userTokens);
  const bus = standIns.bus ?? (await openBus(boot, health));
  const realtime = openRealtime(boot, { bus, storage, authenticator });
  const backups = openBackups(boot, outside.blobs);

  return {
    database,
    db,
    jobs,
    keyring,
    userTokens,
    authenticator,
    realtime,
    bus,
    webhookSlots: new SendSlots({
      capacity: WEBHOOKS_IN_FLIGHT,
      perTarget: config.REDPEN_WEBHOOK_HOST_CONNECTIONS,
    }),
    health,
    editors: realtime.editors,
    scorer,
    outside,
    settings: { ...settingsOf(config, database, guard), ...standIns.settings },
    storage,
    log,
    backups,
    async close() {
      await backups?.stop();
      await health.stop();
      await closeOutside();
      await jobs.stop(2_000);
      await bus.close();
      await scorer.close();
      await sharedContentPool().close();
      closeMail();
      await keys.stop();
      // After everything that may store something.
      await storage.stop();
      await database.close();
    },
  };
}

/** Migrates the schema and adapts stored data to this version and the settings. */
async function prepareData({ config, log, dataDir, initialWorkspace, database }: Boot): Promise<HeldKeys> {
  const { db } = database;
  await refuseMoved({ query: (text, values) => database.forJobs.executeSql(text, values) });
  await refuseNewerSchema(db);
  const pending = await pendingMigrations(db);
  if (pending.length > 0) log.info({ migrations: pending.length }, 'migrating the schema');
  // A migration may rewrite a large table.
  const ran = await database.withoutTimeout(migrate, new AbortController().signal);
  if (ran.length > 0) log.info({ migrations: ran.length, newest: ran.at(-1) }, 'schema migrated');
  const keys = await holdKeys({ db, config, dataDir, log, isAlone: database.kind === 'embedded' });
  await carryOverWebhookSettings(db, keys.keyring);
  if (initialWorkspace) await initWorkspace(db, keys.keyring, initialWorkspace, log);
  return keys;
}

interface OpenedOutside {
  outside: Booted['outside'];
  guard: Guard;
  close(): Promise<void>;
  /** Apart from `close`, because jobs that are being stopped may send mail. */
  closeMail(): void;
}

/** Opens everything that leaves the process: HTTP, browser, files, mail and models. */
async function openOutside(
  { config, log, dataDir, database, standIns }: Boot,
  storage: Storage,
  health: HealthWatch,
): Promise<OpenedOutside> {
  const allowHosts = createAllowedHosts(config.REDPEN_ALLOW_HOSTS);
  const stopWatchingHosts = await watchAllowedHosts({
    db: database.db,
    hosts: allowHosts,
    fromSettings: config.REDPEN_ALLOW_HOSTS,
    log,
  });
  const onRefused = logRefusals(log);
  const trustCertificates = config.REDPEN_TRUST_CERTIFICATES;
  const guard = createGuard({ allowHosts, trustCertificates, onRefused });
  const fetch = createSafeFetch(guard, { userAgent: USER_AGENT });
  const addresses = createDnsCache();
  const webhooks = createSafeFetch(createGuard({ allowHosts, onRefused, resolve: addresses.resolve }), {
    userAgent: `Redpen-Webhooks/${version}`,
    connections: null,
  });
  const browserSettings = browserSettingsOf(config, { log, guard, health });
  const poolSettings = { ...browserSettings, maxPages: config.REDPEN_MAX_PAGES };
  const browser =
    standIns.browser?.(poolSettings) ??
    lazyBrowser(async () => {
      const { createBrowser } = await import('./outside/browser/browser-pool.ts');
      return createBrowser(poolSettings);
    });
  const browserAgent = createBrowserAgent(browserSettings);
  const store = openBlobStore(blobAddressOf(config, dataDir), { setting: blobSettingOf(config) });
  const { models, embeddings } = openModels(config, { log, health, standIns });
  const mailServer = createMail({
    smtpUrl: config.REDPEN_SMTP_URL,
    from: config.REDPEN_MAIL_FROM,
    sendgridUrl: config.REDPEN_SENDGRID_URL,
    fetch,
  });
  return {
    guard,
    outside: {
      fetch,
      webhooks,
      webhookTargets: addresses.targets,
      clients: createClientDocuments({ fetch, isRefused: (url) => guard.checkUrl(url) !== undefined }),
      browser,
      blobs: countingBlobs(watchBlobs(store, health), storage),
      mail: watchMail(mailServer, health),
      models,
      connectMcp: lazyConnectMcp(guard),
      lighthouse: createLighthouse(browserSettings),
      browserAgent,
      readFile: createReadFile(),
      embeddings,
    },
    closeMail: () => mailServer.close(),
    async close() {
      stopWatchingHosts();
      await browserAgent.close();
      await browser.close();
      await models.close();
      await embeddings.close();
      await fetch.close();
      await webhooks.close();
    },
  };
}

function browserSettingsOf(
  config: Config,
  { log, guard, health }: { log: Logger; guard: Guard; health: HealthWatch },
): BrowserSettings {
  const lines = new LogThrottle(5);
  return {
    chromePath: config.CHROME_PATH,
    guard,
    log(message, data = {}) {
      // The guard logs refused hosts itself, with the setting that allows them.
      if (data.host !== undefined) return log.debug(data, message);
      const more = lines.take(message);
      if (more) log.info({ ...data, ...more }, message);
    },
    sandbox: createSandbox({ setting: config.REDPEN_BROWSER_SANDBOX }),
    onOutcome: (failure) =>
      health.note('browser', failure === undefined ? 'works' : browserFailure(failure, config.CHROME_PATH)),
  };
}

function openModels(
  config: Config,
  { log, health, standIns }: { log: Logger; health: HealthWatch; standIns: Partial<Overrides> },
) {
  const providers = providersOf(config);
  const models =
    standIns.models ??
    createModels({
      providers,
      defaultModel: config.REDPEN_MODEL,
      allowedModels: config.REDPEN_MODELS,
      maxOutputTokens: config.REDPEN_MODEL_OUTPUT_TOKENS,
    });
  const embeddings = createEmbeddings({
    choice: config.REDPEN_EMBEDDINGS,
    providers,
    log: (message, data) => log.info(data ?? {}, message),
  });
  return {
    models: watchModels(models, health),
    embeddings: watchEmbeddings(embeddings, config.REDPEN_EMBEDDINGS, health),
  };
}

function openBackups({ config, log, database }: Boot, blobs: BlobStore): ScheduledBackups | undefined {
  if (config.REDPEN_BACKUP_URL === undefined) return undefined;
  return createScheduledBackups({
    connection: database.connection,
    db: database.db,
    blobs: config.REDPEN_BACKUP_FILES === 'on' ? blobs : undefined,
    store: openArchiveStore(config.REDPEN_BACKUP_URL),
    schedule: config.REDPEN_BACKUP_SCHEDULE,
    keep: config.REDPEN_BACKUP_KEEP,
    log,
  });
}

/** The client of MCP is loaded with the first connection, since few agents use tools. */
const lazyConnectMcp =
  (guard: Guard): ConnectMcp =>
  async (...request) =>
    (await import('./outside/mcp/create-connect-mcp.ts')).createConnectMcp({ guard })(...request);

/** Redis if set; otherwise the database server. The only process of a data folder needs neither. */
async function openBus({ config, database, onError }: Boot, health: HealthWatch): Promise<Bus> {
  if (config.REDIS_URL !== undefined) {
    return await openRedisBus({
      url: config.REDIS_URL,
      onError,
      onOutage: ({ message }) => health.note('redis', failed(message, 'Check REDIS_URL.', REDIS_UNUSABLE)),
      onConnected: () => health.note('redis', 'works'),
    });
  }
  return database.kind === 'server' ? await openNotifyBus(database, onError) : createInProcessBus();
}

function openRealtime(
  { config, log, database }: Boot,
  { bus, storage, authenticator }: { bus: Bus; storage: Storage; authenticator: Authenticator },
): Realtime {
  return createRealtime({
    db: database.db,
    bus,
    onError(error, context) {
      storage.note(error);
      logFault(log, error, 'realtime server fails', { ...context });
    },
    refusalOf(apiKeyId, bytes) {
      if (storage.faults().length > 0) return 'busy';
      if (storage.quota.wouldExceed(apiKeyId, bytes)) return 'overQuota';
      storage.quota.count(apiKeyId, bytes);
      return undefined;
    },
    authenticate: authenticator.authenticateUser,
    limits: {
      unknownTokensPerSecond: config.REDPEN_ADDRESS_RATE,
      connectionsPerKey: config.REDPEN_LIVE_CONNECTIONS,
      connectionsPerAddress: config.REDPEN_LIVE_ADDRESS_CONNECTIONS,
      keyMessagesPerSecond: config.REDPEN_LIVE_MESSAGES,
      keyMessageBurst: 2 * config.REDPEN_LIVE_MESSAGES,
    },
    onNotice: (message, context) => log.info(context, message),
  });
}
