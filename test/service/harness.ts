import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { files } from '../../src/api/files.ts';
import { endpoints } from '../../src/api/index.ts';
import { type Booted, createDeps } from '../../src/boot.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/connections/connect.ts';
import { addOAuth } from '../../src/http/oauth/oauth-routes.ts';
import type { Authenticator } from '../../src/http/request/authenticate.ts';
import { createServer } from '../../src/http/server/server.ts';
import { createInProcessBus } from '../../src/lib/bus/in-process-bus.ts';
import { randomId } from '../../src/lib/ids.ts';
import type { Scope } from '../../src/lib/scope.ts';
import { addMcp } from '../../src/mcp/http/mcp-routes.ts';
import { createBrowser } from '../../src/outside/browser/browser-pool.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { collectMetrics } from '../../src/roles/collect-metrics.ts';
import { stagedClients } from '../people/oauth-stage.ts';
import { refusalOfStagedModel, stagedModels } from '../reviews/model-stage.ts';
import { atWorkerEnd } from '../run/at-end.ts';
import { testLog } from '../run/log-watch.ts';
import { sharedBrowser } from './one-browser.ts';

export interface TestApp {
  app: FastifyInstance;
  deps: Booted;
  authenticator: Authenticator;
  realtime: Realtime;
  database: Database;
}

let shared: Promise<TestApp> | undefined;

/** The real service, on one database, which all test files of a process share. */
export const testApp = (): Promise<TestApp> => (shared ??= build());

/** So high that only tests of the limits themselves reach one. */
const UNLIMITED = '1000000';

async function build(): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-test-'));
  const config = readConfig({
    DATABASE_URL: process.env.DATABASE_URL,
    DATABASE_DIRECT_URL: process.env.DATABASE_DIRECT_URL,
    DATABASE_REPLICA_URL: process.env.DATABASE_REPLICA_URL,
    REDPEN_REPLICA_READS: 'all',
    REDPEN_DATA_DIR: dataDir,
    REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    REDPEN_ALLOW_HOSTS: '127.0.0.0/8,localhost',
    REDPEN_TRUST_PROXY: '127.0.0.1',
    REDPEN_WORKSPACE_RATE: UNLIMITED,
    REDPEN_KEY_RATE: UNLIMITED,
    REDPEN_ADDRESS_RATE: UNLIMITED,
    REDPEN_CONNECTION_RATE: UNLIMITED,
    REDPEN_REQUESTS_AT_ONCE: UNLIMITED,
    REDPEN_WEBHOOK_ENDPOINTS: '200',
    REDPEN_WEBHOOK_HOST_CONNECTIONS: '20',
    REDPEN_DISK_RESERVE: '0',
    REDPEN_MAX_PAGES: '2',
    REDPEN_MODEL_PRICES: 'claude/priced=1.25/10, claude/free=0/0',
    CHROME_PATH: process.env.CHROME_PATH,
  });
  const deps = await createDeps(config, testLog, {
    bus: createInProcessBus(),
    models: stagedModels,
    browser: (settings) => sharedBrowser(() => createBrowser(settings)),
    // On a busy machine the default would leave scopes out of memory searches.
    settings: {
      sendsMail: true,
      signInRate: 1_000_000,
      keyRateFactor: 100_000,
      memoryScopeLimitMs: 60_000,
      checkModel: refusalOfStagedModel,
    },
  });
  deps.outside.clients = stagedClients(deps.outside.clients);
  const app = await createServer({
    deps,
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator: deps.authenticator,
    metrics: collectMetrics(deps),
  });
  addMcp(app, deps);
  addOAuth(app, deps, deps.authenticator);
  await app.ready();
  // Test files share the process and the service, which ends with it.
  atWorkerEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  return { app, deps, database: deps.database, authenticator: deps.authenticator, realtime: deps.realtime };
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  body: any;
}

/** Sends a POST request. A string body is sent unchanged, any other as JSON. */
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
  /** Like `post`, but throws unless the call succeeds; returns `result.data`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  must(path: string, data?: unknown): Promise<any>;
}

/** Creates a workspace. Each test uses its own, so that the isolation of tenants isolates the tests. */
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
