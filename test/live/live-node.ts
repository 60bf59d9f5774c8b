import type { AddressInfo } from 'node:net';
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { onTestFinished } from 'vitest';
import { Doc } from 'yjs';
import { endpoints } from '../../src/api/index.ts';
import type { Db } from '../../src/db/tables.ts';
import { createAuthenticator } from '../../src/http/request/authenticate.ts';
import { createServer } from '../../src/http/server/server.ts';
import type { Bus } from '../../src/lib/bus/bus.ts';
import { createInProcessBus } from '../../src/lib/bus/in-process-bus.ts';
import type { Cause } from '../../src/realtime/protocol/close-codes.ts';
import { defaultLimits, type Limits } from '../../src/realtime/protocol/realtime-limits.ts';
import { createRealtime, type Realtime } from '../../src/realtime/realtime.ts';
import { addRealtime } from '../../src/roles/serve.ts';
import { newUserToken } from '../people/user-token.ts';
import { newWorkspace, type Reply, type TestWorkspace, testApp } from '../service/harness.ts';

export interface LiveNode {
  /** Address of the realtime server. */
  url: string;
  realtime: Realtime;
  post(path: string, data: unknown, headers: Record<string, string>): Promise<Reply>;
  /** Errors that the node has reported. */
  errors: unknown[];
}

/** Starts a node that serves live documents, on the shared test database; it stops when the test ends. */
export async function startNode({
  limits,
  bus,
  db,
  refusalOf,
}: {
  limits?: Partial<Limits>;
  bus?: Bus;
  /** Database of the live documents; the shared test database by default. */
  db?: Db;
  refusalOf?: (apiKeyId: string, bytes: number) => Cause | undefined;
} = {}): Promise<LiveNode> {
  const { deps } = await testApp();
  const authenticator = createAuthenticator(deps.db, deps.userTokens);
  const errors: unknown[] = [];
  const realtime = createRealtime({
    db: db ?? deps.db,
    bus: bus ?? createInProcessBus(),
    authenticate: authenticator.authenticateUser,
    onError: (error) => errors.push(error),
    onNotice: () => {},
    // The default of 5 s could close a connection on a busy machine.
    limits: { authenticateWithinMs: 120_000, ...limits },
    ...(refusalOf && { refusalOf }),
  });
  const app = await createServer({
    deps: { ...deps, editors: realtime.editors },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  addRealtime(app, realtime, {
    trustProxy: deps.settings.trustProxy,
    messageBytes: limits?.messageBytes ?? defaultLimits.messageBytes,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  onTestFinished(async () => {
    await Promise.all([app.close(), realtime.disconnect()]);
    await realtime.stop();
  });
  return {
    url: `ws://127.0.0.1:${port}/v2/realtime`,
    realtime,
    errors,
    async post(path, data, headers) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ data }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
      };
    },
  };
}

export const place = { organizationId: 'acme', documentId: 'home' };
export const editor = { ...place, editorId: 'body' };
export const nameOfEditor = 'acme/home/body';

/** A workspace with a document that every user with access to the organization may edit. */
export async function withDocument(document: object = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: place.organizationId,
    documents: [{ documentId: place.documentId, ...document }],
  });
  return workspace;
}

export const tokenOf = async (
  workspace: TestWorkspace,
  options: Parameters<typeof newUserToken>[1] = {},
): Promise<string> => {
  const resources = [{ type: 'organization', id: place.organizationId }];
  return (await newUserToken(workspace, { resources, ...options })).token;
};

export interface LiveClient {
  document: Doc;
  provider: HocuspocusProvider;
  /** Codes and reasons that the server closed the connection with. */
  closes: { code: number; reason: string }[];
  refusals: string[];
}

/** A standard client, which reconnects after short delays; it is destroyed when the test ends. */
export function openClient(
  url: string,
  token: string,
  { name = nameOfEditor, document = new Doc() }: { name?: string; document?: Doc } = {},
): LiveClient {
  const closes: LiveClient['closes'] = [];
  const refusals: string[] = [];
  const websocketProvider = new HocuspocusProviderWebsocket({ url, delay: 100, minDelay: 50, maxDelay: 500 });
  const provider = new HocuspocusProvider({
    websocketProvider,
    name,
    document,
    token,
    onClose: ({ event }) => closes.push({ code: event.code, reason: event.reason }),
    onAuthenticationFailed: ({ reason }) => refusals.push(reason),
  });
  provider.attach();
  onTestFinished(() => {
    provider.destroy();
    websocketProvider.destroy();
  });
  return { document, provider, closes, refusals };
}

/** True if the client is synchronized and no change waits for its acknowledgment. */
export const isSaved = ({ provider }: LiveClient): boolean =>
  provider.isSynced && !provider.hasUnsyncedChanges;
