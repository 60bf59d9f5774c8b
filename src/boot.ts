import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { createUserTokens } from './access/user-token.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/connect.ts';
import { isUnavailable } from './db/faults.ts';
import { logFault } from './db/log-fault.ts';
import { migrate, pendingMigrations } from './db/migrate.ts';
import { openNotifyBus } from './db/notify-bus.ts';
import type { Deps, Settings } from './deps.ts';
import { type Authenticator, createAuthenticator } from './http/request/authenticate.ts';
import { type JobQueue, startJobQueue } from './jobs/queue.ts';
import type { Bus } from './lib/bus/bus.ts';
import { createLoneBus } from './lib/bus/in-process-bus.ts';
import { LineBound } from './lib/line-bound.ts';
import { USER_AGENT, version } from './lib/version.ts';
import { createScorer } from './memory/scoring/scorer.ts';
import { closeBlobFolder, openBlobStore } from './outside/blobs.ts';
import type { BrowserSettings } from './outside/browser/launch.ts';
import { lazyBrowser } from './outside/browser/lazy-pool.ts';
import { createSandbox } from './outside/browser/sandbox.ts';
import { createBrowserAgent } from './outside/browser-agent/create-browser-agent.ts';
import { createEmbeddings } from './outside/embed/create-embeddings.ts';
import { createReadFile } from './outside/files/create-read-file.ts';
import { createGuard } from './outside/guard.ts';
import { createKnownAddresses } from './outside/known-addresses.ts';
import { createLighthouse } from './outside/lighthouse/create-lighthouse.ts';
import { createMail } from './outside/mail.ts';
import { createConnectMcp } from './outside/mcp/create-connect-mcp.ts';
import { judgeWish } from './outside/models/choose-model.ts';
import { createModels } from './outside/models/create-models.ts';
import type { Models } from './outside/models/models.ts';
import type { Browser } from './outside/outside.ts';
import { openRedisBus } from './outside/redis-bus.ts';
import { createAllowedHosts } from './outside/replaceable-allow-list.ts';
import { createSafeFetch } from './outside/safe-fetch.ts';
import { refuseEarlierFolder } from './postgres/earlier-folder.ts';
import { closeToOthers, DATA_FOLDER } from './postgres/private-folder.ts';
import { sharedContentPool } from './realtime/document/content-pool.ts';
import { createRealtime, type Realtime } from './realtime/realtime.ts';
import { failed } from './roles/doctor/check.ts';
import { browserFailure } from './roles/doctor/check-browser.ts';
import { createHealthWatch, type HealthWatch } from './roles/doctor/health-watch.ts';
import { watchBlobs, watchEmbeddings, watchMail, watchModels } from './roles/doctor/watch-use.ts';
import { REDIS_UNUSABLE } from './roles/doctor/watched-checks.ts';
import { secretsCutter } from './roles/doctor/without-secrets.ts';
import { JOBS } from './roles/jobs/index.ts';
import { logRefusals } from './roles/log/log-refusals.ts';
import { databaseOptions } from './roles/setup/database-options.ts';
import { type InitialWorkspace, initWorkspace, readInitialWorkspace } from './roles/setup/init-workspace.ts';
import { openKeyring } from './roles/setup/keyring.ts';
import { blobAddressOf, blobSettingOf, placesOf, providersOf } from './roles/setup/places.ts';
import { warnOfOpenSignup } from './roles/setup/signup.ts';
import { countingBlobs, createStorage } from './roles/setup/storage.ts';
import { watchAllowedHosts } from './roles/setup/watch-allowed-hosts.ts';
import { checkKeyring } from './store/keys/key-checks.ts';
import { SendSlots } from './webhooks/deliver/send-slots.ts';
import { carryOverWebhookSettings } from './webhooks/settings/carry-over-settings.ts';

export interface Booted extends Deps {
  jobs: JobQueue;
  authenticator: Authenticator;
  realtime: Realtime;
  /** What the processes of the service tell each other over. */
  bus: Bus;
  /** Latest findings about the browser, files, models and other dependencies. */
  health: HealthWatch;
  /** Lets go of everything, in the order that loses nothing. */
  close(): Promise<void>;
}

/** Webhooks that the process sends at once. */
const WEBHOOKS_IN_FLIGHT = 512;

/** Parts that the tests put in place of those that a configuration asks for. */
export interface StandIns {
  bus: Bus;
  models: Models;
  browser(settings: BrowserSettings & { maxPages: number }): Browser;
  settings: Partial<Settings>;
}

/** The only place that opens a database, a browser or a way out. */
export async function createDeps(
  config: Config,
  log: Logger,
  standIns: Partial<StandIns> = {},
): Promise<Booted> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const onError = (error: Error) => logFault(log, error, 'background work fails');
  const initialWorkspace = readInitialWorkspace(config);
  if (config.DATABASE_URL === undefined) refuseEarlierFolder(dataDir);
  else closeToOthers(dataDir, { ...DATA_FOLDER, log });
  closeBlobFolder(blobAddressOf(config, dataDir), log);
  const database = await openDatabase(databaseOptions(config, log, onError));
  try {
    return await withDatabase(config, log, { dataDir, initialWorkspace, standIns }, database, onError);
  } catch (error) {
    // A start writes; what keeps the database from it says more than the statement that failed.
    const [fault] = isUnavailable(error) ? database.faults() : [];
    await database.close().catch(onError);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

/** The server that comes along shares the processors of this machine with all that answers. */
function turnsInCompany({ kind, requestConnections }: Database): Settings['turnsInCompany'] {
  const processors = availableParallelism();
  return {
    most: kind === 'embedded' ? 2 * processors : requestConnections,
    least: Math.ceil(processors / 2),
  };
}

/** A data folder has one process; several on a server tell each other over it where there is no Redis. */
async function openBus(
  config: Config,
  database: Database,
  { health, onError }: { health: HealthWatch; onError: (error: Error) => void },
): Promise<Bus> {
  if (config.REDIS_URL !== undefined) {
    return await openRedisBus({
      url: config.REDIS_URL,
      onError,
      onOutage: ({ message }) => health.note('redis', failed(message, 'Check REDIS_URL.', REDIS_UNUSABLE)),
      onConnected: () => health.note('redis', 'works'),
    });
  }
  return database.kind === 'server' ? await openNotifyBus(database, onError) : createLoneBus();
}

async function withDatabase(
  config: Config,
  log: Logger,
  {
    dataDir,
    initialWorkspace,
    standIns,
  }: { dataDir: string; initialWorkspace: InitialWorkspace | undefined; standIns: Partial<StandIns> },
  database: Database,
  onError: (error: Error) => void,
): Promise<Booted> {
  const pending = await pendingMigrations(database.db);
  if (pending.length > 0) log.info({ migrations: pending.length }, 'bringing the schema up to date');
  // A migration may rewrite a large table.
  const ran = await database.unhurried(migrate, new AbortController().signal);
  if (ran.length > 0) log.info({ migrations: ran.length, newest: ran.at(-1) }, 'schema brought up to date');
  const keyring = openKeyring(config, dataDir, log);
  await checkKeyring(database.db, keyring);
  await carryOverWebhookSettings(database.db, keyring);
  if (initialWorkspace) await initWorkspace(database.db, keyring, initialWorkspace, log);
  warnOfOpenSignup(config, log);
  const storage = await createStorage({
    db: database.db,
    places: placesOf(config, dataDir),
    reserveMb: config.REDPEN_DISK_RESERVE,
    faultsOfDatabase: database.faults,
    boundBytes: config.REDPEN_STORED_MB && config.REDPEN_STORED_MB * 1_048_576,
    isCounting: true,
    log,
  });
  const jobs = await startJobQueue(database, JOBS, onError, {
    mostWaiting: config.REDPEN_WAITING_JOBS,
    storage,
    onFailed: ({ error, ...job }) => log.warn({ ...job, err: error }, 'job is given up'),
  });

  const allowHosts = createAllowedHosts(config.REDPEN_ALLOW_HOSTS);
  const stopWatchingHosts = await watchAllowedHosts({
    db: database.db,
    hosts: allowHosts,
    fromSettings: config.REDPEN_ALLOW_HOSTS,
    log,
  });
  const onRefused = logRefusals(log);
  const guard = createGuard({ allowHosts, onRefused });
  const fetch = createSafeFetch(guard, { userAgent: USER_AGENT });
  const addresses = createKnownAddresses();
  const webhookGuard = createGuard({ allowHosts, onRefused, resolve: addresses.resolve });
  const webhooks = createSafeFetch(webhookGuard, {
    userAgent: `Redpen-Webhooks/${version}`,
    connections: null,
  });
  const webhookSlots = new SendSlots({
    capacity: WEBHOOKS_IN_FLIGHT,
    perTarget: config.REDPEN_WEBHOOK_HOST_CONNECTIONS,
  });
  const health = createHealthWatch({ log, hideSecrets: secretsCutter(config) });
  const sandbox = createSandbox({ setting: config.REDPEN_BROWSER_SANDBOX });
  const browserLines = new LineBound(5);
  const browserLog = (message: string, data: Record<string, unknown> = {}) => {
    // The guard logs which hosts it refuses, and how they are allowed.
    if (data.host !== undefined) return log.debug(data, message);
    const more = browserLines.take(message);
    if (more) log.info({ ...data, ...more }, message);
  };
  const browserSettings: BrowserSettings = {
    chromePath: config.CHROME_PATH,
    guard,
    log: browserLog,
    sandbox,
    onOutcome: (failure) =>
      health.note('browser', failure === undefined ? 'works' : browserFailure(failure, config.CHROME_PATH)),
  };
  const poolSettings = { ...browserSettings, maxPages: config.REDPEN_MAX_PAGES };
  const browser =
    standIns.browser?.(poolSettings) ??
    lazyBrowser(async () => {
      const { createBrowser } = await import('./outside/browser/pool.ts');
      return createBrowser(poolSettings);
    });
  const store = openBlobStore(blobAddressOf(config, dataDir), { setting: blobSettingOf(config) });
  const blobs = countingBlobs(watchBlobs(store, health), storage);

  const mailServer = createMail({
    smtpUrl: config.REDPEN_SMTP_URL,
    from: config.REDPEN_MAIL_FROM,
    sendgridUrl: config.REDPEN_SENDGRID_URL,
    fetch,
  });

  const mail = watchMail(mailServer, health);
  const providers = providersOf(config);
  const ownModels =
    standIns.models ??
    createModels({
      providers,
      defaultModel: config.REDPEN_MODEL,
      allowedModels: config.REDPEN_MODELS,
    });
  const models = watchModels(ownModels, health);
  const ownEmbeddings = createEmbeddings({
    choice: config.REDPEN_EMBEDDINGS,
    providers,
    log: (message, data) => log.info(data ?? {}, message),
  });
  const embeddings = watchEmbeddings(ownEmbeddings, config.REDPEN_EMBEDDINGS, health);
  const browserAgent = createBrowserAgent(browserSettings);
  const scorer = createScorer(database.connection);

  const userTokens = createUserTokens(database.db, keyring);
  const authenticator = createAuthenticator(database.db, userTokens);
  const bus = standIns.bus ?? (await openBus(config, database, { health, onError }));
  const realtime = createRealtime({
    db: database.db,
    bus,
    onError(error, context) {
      storage.note(error);
      logFault(log, error, 'realtime server fails', { ...context });
    },
    refusalOf(apiKeyId, bytes) {
      if (storage.faults().length > 0) return 'busy';
      if (storage.quota.isPassedBy(apiKeyId, bytes)) return 'overQuota';
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

  return {
    database,
    db: database.db,
    jobs,
    keyring,
    userTokens,
    authenticator,
    realtime,
    bus,
    webhookSlots,
    health,
    editors: realtime.editors,
    scorer,
    outside: {
      fetch,
      webhooks,
      webhookTargets: addresses.targets,
      browser,
      blobs,
      mail,
      models,
      connectMcp: createConnectMcp({ guard }),
      lighthouse: createLighthouse(browserSettings),
      browserAgent,
      readFile: createReadFile(),
      embeddings,
    },
    settings: {
      plan: config.REDPEN_PLAN,
      signup: config.REDPEN_SIGNUP,
      workspaceRate: config.REDPEN_WORKSPACE_RATE,
      keyRate: config.REDPEN_KEY_RATE,
      addressRate: config.REDPEN_ADDRESS_RATE,
      connectionRate: config.REDPEN_CONNECTION_RATE,
      requestsAtOnce: config.REDPEN_REQUESTS_AT_ONCE,
      turns: database.requestConnections,
      turnsInCompany: turnsInCompany(database),
      keyRateFactor: 1,
      storedBytes: storage.quota.boundBytes,
      webhookEndpoints: config.REDPEN_WEBHOOK_ENDPOINTS,
      runTokens: config.REDPEN_RUN_TOKENS,
      trustProxy: config.REDPEN_TRUST_PROXY,
      publicUrl: config.REDPEN_PUBLIC_URL,
      bodyLimitBytes: 1_048_576,
      judgeUrl: (url) => guard.judgeUrl(url),
      judgeModel: (wish) =>
        judgeWish(wish, { defaultModel: config.REDPEN_MODEL, allowedModels: config.REDPEN_MODELS }),
      ...standIns.settings,
    },
    storage,
    log,
    async close() {
      stopWatchingHosts();
      await health.stop();
      await browserAgent.close();
      await browser.close();
      await models.close();
      await embeddings.close();
      await fetch.close();
      await webhooks.close();
      await jobs.stop(2_000);
      await bus.close();
      await scorer.close();
      await sharedContentPool().close();
      mail.close();
      // Whatever came before may have stored something.
      await storage.stop();
      await database.close();
    },
  };
}
