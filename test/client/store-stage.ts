import { beforeAll, onTestFinished } from 'vitest';
import { type ClientOptions, createClient, type Redpen } from '../../packages/client/src/index.ts';
import type { Store } from '../../packages/client/src/stores.ts';
import { until } from '../run/until.ts';
import { type LiveTenant, newLiveTenant } from '../service/live-tenant.ts';
import type { Service } from '../service/service.ts';
import { sharedService } from '../service/worker-service.ts';

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
}

/** A workspace of a service, whose clients may reach it over another address. */
export async function newStoreStage({
  service: given,
  address,
}: {
  service?: Service;
  address?: string;
} = {}): Promise<StoreStage> {
  const service = given ?? (await sharedService());
  const url = address ?? service.url;
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
  };
}

/** A workspace for the tests of a file. */
export function stageForFile(take: (stage: StoreStage) => void): void {
  beforeAll(async () => take(await newStoreStage()));
}
