import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type ClientOptions, createClient, type Redpen } from '../../packages/client/src/index.ts';
import type { Store } from '../../packages/client/src/stores.ts';
import { type LiveTenant, newLiveTenant } from '../e2e/live-tenant.ts';
import { ownDatabase } from '../e2e/own-database.ts';
import { startService } from '../e2e/service.ts';
import { until } from '../until.ts';

/** Subscribes until the end of the test. */
export function use<S>(store: Store<S>): () => S {
  onTestFinished(store.subscribe(() => {}));
  return store.get;
}

/** Waits until a state holds. */
export async function settled<S>(get: () => S, holds: (state: S) => unknown): Promise<S> {
  await until(() => holds(get()), `the state, which is ${JSON.stringify(get())}`);
  return get();
}

/** Subscribes, and waits until the store is live. */
export async function liveStateOf<S extends { status: string }>(store: Store<S>): Promise<() => S> {
  const get = use(store);
  await settled(get, ({ status }) => status === 'live');
  return get;
}

type Fetch = typeof fetch;

/** A `fetch` that holds the answers to requests for a path, from `hold` to `release`. */
export function gated(part: string) {
  let open = Promise.withResolvers<void>();
  let isHolding = false;
  const held: string[] = [];
  const fetchGated: Fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (isHolding && String(input).includes(part)) {
      held.push(String(input));
      await open.promise;
    }
    return response;
  };
  return {
    fetch: fetchGated,
    /** The requests whose answers are held. */
    held,
    hold() {
      open = Promise.withResolvers();
      isHolding = true;
    },
    release() {
      isHolding = false;
      open.resolve();
    },
  };
}

export interface StoreStage {
  url: string;
  tenant: LiveTenant;
  /** A client of a user. */
  clientOf(userId: string, options?: Partial<ClientOptions>): Redpen;
  /** Adds a document, and returns its place. */
  newDocument(): Promise<{ organizationId: string; documentId: string }>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** Starts a service of its own, which may be killed and started again. */
export async function newStoreStage(cleanUp: (() => Promise<unknown> | unknown)[]): Promise<StoreStage> {
  const { env } = await ownDatabase(cleanUp);
  const settings = { ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1' };
  let service = await startService(settings);
  cleanUp.push(() => service.kill('SIGKILL'));
  const { url } = service;
  const tenant = await newLiveTenant(() => service);
  const tokens = new Map<string, Promise<string>>();
  let documents = 0;
  return {
    url,
    tenant,
    clientOf(userId, options = {}) {
      // The token is known while the service is away, as from the backend of a page.
      const token = tokens.get(userId) ?? tenant.token(userId);
      tokens.set(userId, token);
      return createClient({ baseUrl: url, getUserToken: () => token, ...options });
    },
    async newDocument() {
      const place = { organizationId: 'acme', documentId: `document-${documents++}` };
      const added = { organizationId: 'acme', documents: [{ documentId: place.documentId }] };
      await tenant.must('/v2/organizations/documents/add', added);
      return place;
    },
    kill: async () => void (await service.kill('SIGKILL')),
    async restart() {
      await service.kill('SIGKILL');
      service = await startService({ ...settings, PORT: new URL(url).port });
    },
  };
}

/** Starts a service for the tests of a file, and stops it after them. */
export function stageForFile(take: (stage: StoreStage) => void): void {
  const cleanUp: (() => Promise<unknown> | unknown)[] = [];
  beforeAll(async () => take(await newStoreStage(cleanUp)));
  afterAll(async () => {
    for (const step of cleanUp.reverse()) await step();
  });
}
