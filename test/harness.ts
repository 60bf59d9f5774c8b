import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createUserTokens } from '../src/access/user-token.ts';
import { files } from '../src/api/files.ts';
import { endpoints } from '../src/api/index.ts';
import { type Database, openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Deps } from '../src/deps.ts';
import { type Authenticator, createAuthenticator } from '../src/http/request/authenticate.ts';
import { createServer } from '../src/http/server/server.ts';
import { type JobQueue, startJobQueue } from '../src/jobs/queue.ts';
import { createLoneBus } from '../src/lib/bus/in-process-bus.ts';
import { createKeyring } from '../src/lib/crypto.ts';
import { randomId } from '../src/lib/ids.ts';
import type { Scope } from '../src/lib/scope.ts';
import { createScorer } from '../src/memory/scoring/scorer.ts';
import { openBlobStore } from '../src/outside/blobs.ts';
import { createBrowser } from '../src/outside/browser/pool.ts';
import { createBrowserAgent } from '../src/outside/browser-agent/create-browser-agent.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import { createReadFile } from '../src/outside/files/create-read-file.ts';
import { createGuard } from '../src/outside/guard.ts';
import { createKnownAddresses } from '../src/outside/known-addresses.ts';
import { createLighthouse } from '../src/outside/lighthouse/create-lighthouse.ts';
import { createMail } from '../src/outside/mail.ts';
import { createConnectMcp } from '../src/outside/mcp/create-connect-mcp.ts';
import { createSafeFetch } from '../src/outside/safe-fetch.ts';
import { createRealtime, type Realtime } from '../src/realtime/realtime.ts';
import { createMeters } from '../src/roles/setup/meters.ts';
import { createStorage } from '../src/roles/setup/storage.ts';
import { SendSlots } from '../src/webhooks/deliver/send-slots.ts';
import { judgeStagedModel, stagedModels } from './model-stage.ts';
import { sharedBrowser } from './one-browser.ts';

export interface TestApp {
  app: FastifyInstance;
  deps: Deps & { jobs: JobQueue };
  authenticator: Authenticator;
  realtime: Realtime;
  database: Database;
}

let shared: Promise<TestApp> | undefined;

/** The service with everything real, on one database for all test files of a process. */
export const testApp = (): Promise<TestApp> => (shared ??= build());

async function build(): Promise<TestApp> {
  const log = pino({ level: 'silent' });
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL!, onError });
  await migrate(database.db);
  const jobs = await startJobQueue(database, onError, { mostWaiting: 1_000 });
  const guard = createGuard({ allowHosts: ['127.0.0.0/8', 'localhost'] });
  const addresses = createKnownAddresses();
  const webhookGuard = createGuard({
    allowHosts: ['127.0.0.0/8', 'localhost'],
    resolve: addresses.resolve,
  });
  const keyring = createKeyring([Buffer.alloc(32, 7)]);
  const fetch = createSafeFetch(guard, { userAgent: 'Redpen test' });
  const userTokens = createUserTokens(database.db, keyring);
  const authenticator = createAuthenticator(database.db, userTokens);
  const realtime = createRealtime({
    db: database.db,
    bus: createLoneBus(),
    authenticate: authenticator.authenticateUser,
    onError: (error) => onError(error as Error),
    onNotice: () => {},
  });
  const browserSettings = { chromePath: process.env.CHROME_PATH, guard, log: () => {} };
  const deps = {
    database,
    db: database.db,
    jobs,
    keyring,
    userTokens,
    webhookSlots: new SendSlots({ capacity: 512, perTarget: 20 }),
    editors: realtime.editors,
    scorer: createScorer(database.connection),
    outside: {
      fetch,
      webhooks: createSafeFetch(webhookGuard, { userAgent: 'Redpen test', connections: null }),
      webhookTargets: addresses.targets,
      browser: sharedBrowser(() => createBrowser({ ...browserSettings, maxPages: 2 })),
      blobs: openBlobStore(pathToFileURL(mkdtempSync(join(tmpdir(), 'redpen-test-'))).href),
      mail: createMail({
        smtpUrl: undefined,
        from: undefined,
        sendgridUrl: 'https://api.sendgrid.com',
        fetch,
      }),
      models: stagedModels,
      connectMcp: createConnectMcp({ guard }),
      lighthouse: createLighthouse(browserSettings),
      browserAgent: createBrowserAgent(browserSettings),
      readFile: createReadFile(),
      embeddings: createEmbeddings({
        choice: 'local',
        providers: {
          openai: { apiKey: undefined, baseUrl: undefined },
          gemini: { apiKey: undefined, baseUrl: undefined },
        },
      }),
    },
    settings: {
      plan: 'free' as const,
      signup: 'open' as 'open' | 'first' | 'closed',
      workspaceRate: 1_000_000,
      keyRate: 1_000_000,
      addressRate: 1_000_000,
      connectionRate: 1_000_000,
      requestsAtOnce: 1_000_000,
      turns: database.requestConnections,
      turnsInCompany: { most: database.requestConnections, least: 1 },
      keyRateFactor: 100_000,
      storedBytes: undefined,
      webhookEndpoints: 200,
      runTokens: 2_000_000,
      trustProxy: ['127.0.0.1'],
      bodyLimitBytes: 1_048_576,
      judgeUrl: (url: string) => guard.judgeUrl(url),
      judgeModel: judgeStagedModel,
    },
    storage: await createStorage({
      db: database.db,
      places: [],
      reserveMb: 0,
      boundBytes: undefined,
      log,
    }),
    log,
  };
  const app = await createServer({
    deps,
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
    meters: createMeters(deps),
  });
  await app.ready();
  return { app, deps, database, authenticator, realtime };
}

// Files share the process, so only its end may close what they share.
process.once('beforeExit', () => {
  void shared?.then(async ({ app, deps, database, realtime }) => {
    await app.close();
    await realtime.stop();
    await deps.outside.browserAgent.close();
    await deps.outside.browser.close();
    await deps.outside.embeddings.close();
    await deps.jobs.stop(0);
    await deps.scorer.close();
    await database.close();
  });
});

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/** Sends a POST as it is; a string body goes unchanged. */
export async function send(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { app } = await testApp();
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) };
}

export interface TestWorkspace extends Scope {
  email: string;
  authToken: string;
  token: string;
  keyHeaders: Record<string, string>;
  workspaceHeaders: Record<string, string>;
  /** Calls an API-key-level operation with `{ data }`. */
  post(path: string, data?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Calls a workspace-level operation. */
  postAsWorkspace(path: string, data?: unknown): Promise<Reply>;
  /** The same as `post`, and throws unless it succeeded; answers `result.data`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  must(path: string, data?: unknown): Promise<any>;
}

/** A workspace of its own for each test: the border between tenants is the border between tests. */
export async function newWorkspace(): Promise<TestWorkspace> {
  const { deps } = await testApp();
  const email = `${randomId(12).toLowerCase()}@example.com`;
  const created = await send('/v2/workspace/create', { data: { ownerEmail: email } });
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  const { id: workspaceId, authToken, apiKeyList } = created.body.result.data;
  const apiKeyId = Object.keys(apiKeyList)[0]!;
  const row = await deps.db
    .selectFrom('apiKeyTokens')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
  const token = deps.keyring.open(row.tokenSealed, ['api_key_tokens', apiKeyId, row.tokenHash]);
  const keyHeaders = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': token };
  const workspaceHeaders = {
    'x-service-workspace-id': workspaceId,
    'x-service-workspace-auth-token': authToken,
  };
  const post = (path: string, data: unknown = {}, headers: Record<string, string> = {}) =>
    send(path, { data }, { ...keyHeaders, ...headers });
  return {
    workspaceId,
    apiKeyId,
    email,
    authToken,
    token,
    keyHeaders,
    workspaceHeaders,
    post,
    postAsWorkspace: (path, data = {}) => send(path, { data }, workspaceHeaders),
    async must(path, data = {}) {
      const reply = await post(path, data);
      if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
      return reply.body.result.data;
    },
  };
}
