import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { eventsOf } from '../src/api/events.ts';
import type { Deps } from '../src/deps.ts';
import { relayBatch, skipUnwanted } from '../src/events/outbox-relay.ts';
import { createAuthenticator } from '../src/http/request/authenticate.ts';
import { createServer } from '../src/http/server/server.ts';
import { addStreamRoute } from '../src/http/server/stream-routes.ts';
import { randomId } from '../src/lib/ids.ts';
import { createFeed, type Feed } from '../src/realtime/feed/feed.ts';
import { recordLiveEvents } from '../src/realtime/feed/record-live-events.ts';
import { type EventClient, openEventClient, type Told } from './fakes/event-source.ts';
import { newWorkspace, type TestWorkspace, testApp } from './harness.ts';

export const organizationId = 'acme';
export const place = { organizationId, documentId: 'home' };

export interface EventStage {
  workspace: TestWorkspace;
  app: FastifyInstance;
  feed: Feed;
  url(query: Record<string, string>): string;
  /** Opens a stream, by default with the API key and of the organization; it ends with the test. */
  open(headers?: Record<string, string>, query?: Record<string, string>): Promise<EventClient>;
  /** Hands on what happened so far. */
  relay(): Promise<void>;
  /**
   * The same, and waits until clients have got all that is for them; answers what that is. It makes a mark that
   * they see unless they asked for some events only, or may not read the document.
   */
  told(client: EventClient): Promise<Told[]>;
}

const MARK = 'mark-';

/** Hands on what happened so far to those who are connected. */
export async function relayLiveEvents(): Promise<void> {
  const { deps } = await testApp();
  while ((await relayBatch(deps.db, [recordLiveEvents])) > 0);
}

interface StageOptions {
  /** Times and limits of the feed. */
  feed?: Parameters<typeof createFeed>[1];
  /** Where others than those of all tests are wanted. */
  deps?: Partial<Deps>;
}

/** A process that serves streams of events, with a tenant that has an organization and a document. */
export async function newEventStage({ feed: options, ...rest }: StageOptions = {}): Promise<EventStage> {
  const deps = { ...(await testApp()).deps, ...rest.deps };
  // What other tests left is nothing to anybody here, and there may be a lot of it.
  while ((await skipUnwanted(deps.db, [])) > 0);
  const workspace = await newWorkspace();
  const authenticator = createAuthenticator(deps.db, deps.userTokens);
  const feed = createFeed(deps, options);
  const app = await createServer({
    deps,
    endpoints: [],
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  addStreamRoute(app, eventsOf(feed));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const clients: EventClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await Promise.all([feed.stop(), app.close()]);
  });
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId }] });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'home' }],
  });
  await relayLiveEvents();

  const url = (query: Record<string, string>) =>
    `http://127.0.0.1:${port}/v2/events?${new URLSearchParams(query)}`;
  const open: EventStage['open'] = async (headers = workspace.keyHeaders, query = {}) => {
    const client = await openEventClient(url({ organizationId, ...query }), headers);
    clients.push(client);
    return client;
  };
  const isMark = ({ data }: Told) =>
    [data.documentId, data.liveStateDataId].some((id) => id?.startsWith(MARK));
  return {
    workspace,
    app,
    feed,
    url,
    open,
    relay: relayLiveEvents,
    async told(client) {
      const mark = `${MARK}${randomId()}`;
      await workspace.must('/v2/organizations/documents/add', {
        organizationId,
        documents: [{ documentId: mark }],
      });
      await workspace.must('/v2/livestate/broadcast', { ...place, liveStateDataId: mark, data: {} });
      await relayLiveEvents();
      await expect
        .poll(() => client.events.some((one) => isMark(one) && JSON.stringify(one.data).includes(mark)), {
          timeout: 60_000,
          interval: 5,
        })
        .toBe(true);
      return client.events.filter((one) => !isMark(one));
    },
  };
}
