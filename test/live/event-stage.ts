import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { eventsOf } from '../../src/api/events.ts';
import type { Deps } from '../../src/deps.ts';
import { relayBatch } from '../../src/events/outbox-relay.ts';
import { createAuthenticator } from '../../src/http/request/authenticate.ts';
import { createServer } from '../../src/http/server/server.ts';
import { addStreamRoute } from '../../src/http/server/stream-routes.ts';
import { randomId } from '../../src/lib/ids.ts';
import { createFeed, type Feed } from '../../src/realtime/feed/feed.ts';
import { recordLiveEvents } from '../../src/realtime/feed/record-live-events.ts';
import { type EventClient, openEventClient, type ReceivedEvent } from '../fakes/event-source.ts';
import { atEnd } from '../run/at-end.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

export const organizationId = 'acme';
export const place = { organizationId, documentId: 'home' };

export interface EventStage {
  workspace: TestWorkspace;
  app: FastifyInstance;
  feed: Feed;
  url(query: Record<string, string>): string;
  /** Opens a stream, by default with the API key and for the organization; it is closed when the test, or its file, ends. */
  open(headers?: Record<string, string>, query?: Record<string, string>): Promise<EventClient>;
  /** Relays all events so far to the streams. */
  relay(): Promise<void>;
  /**
   * Relays all events, waits until the client has received its own, and returns these. To know when, it creates a
   * marker event, which clients with a filter or without access to the document do not receive.
   */
  receivedBy(client: EventClient): Promise<ReceivedEvent[]>;
}

const MARKER = 'mark-';

/** Relays all events so far to the connected clients. */
export async function relayLiveEvents(): Promise<void> {
  const { deps } = await testApp();
  while ((await relayBatch(deps.db, [recordLiveEvents])) > 0);
}

interface StageOptions {
  /** Times and limits of the feed. */
  feed?: Parameters<typeof createFeed>[1];
  /** Replacements of the dependencies that all tests share. */
  deps?: Partial<Deps>;
}

/** Starts a server of event streams, and creates a tenant with an organization and a document. */
export async function newEventStage({ feed: options, ...rest }: StageOptions = {}): Promise<EventStage> {
  const deps = { ...(await testApp()).deps, ...rest.deps };
  // Other tests may have left many events, which no client here receives.
  while ((await relayBatch(deps.db, [])) > 0);
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
  addStreamRoute(app, deps, eventsOf(feed));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const clients: EventClient[] = [];
  atEnd(async () => {
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
    const asked = query.scope === undefined ? { organizationId, ...query } : query;
    const client = await openEventClient(url(asked), headers);
    clients.push(client);
    return client;
  };
  const isMarker = ({ data }: ReceivedEvent) =>
    [data.documentId, data.liveStateDataId].some((id) => id?.startsWith(MARKER));
  return {
    workspace,
    app,
    feed,
    url,
    open,
    relay: relayLiveEvents,
    async receivedBy(client) {
      const marker = `${MARKER}${randomId()}`;
      await workspace.must('/v2/organizations/documents/add', {
        organizationId,
        documents: [{ documentId: marker }],
      });
      await workspace.must('/v2/livestate/broadcast', { ...place, liveStateDataId: marker, data: {} });
      await relayLiveEvents();
      await expect
        .poll(
          () => client.events.some((event) => isMarker(event) && JSON.stringify(event.data).includes(marker)),
          {
            timeout: 300_000,
            interval: 5,
          },
        )
        .toBe(true);
      return client.events.filter((event) => !isMarker(event));
    },
  };
}
