import { type Configuration, type Document, Hocuspocus } from '@hocuspocus/server';
import type { Scope } from '../lib/scope.ts';
import type { Limits } from './protocol/realtime-limits.ts';
import type { Session } from './protocol/session.ts';

/** Delay before Hocuspocus unloads a document without connections; a client that writes once often writes again. */
const KEPT_OPEN_MS = 2_000;
const PRUNE_EVERY_MS = 60_000;

/** Hocuspocus, which closes waiting clients with a code when their document cannot be loaded. */
class Engine extends Hocuspocus<Session> {
  /**
   * Hocuspocus would answer every client that waits for the document with "no access", after which clients do not
   * come back.
   */
  override async createDocument(
    ...[name, request, socketId, connection, context]: Parameters<Hocuspocus<Session>['createDocument']>
  ): Promise<Document> {
    try {
      return await super.createDocument(name, request, socketId, connection, context);
    } catch (error) {
      // Changes over REST have no client.
      (context as Partial<Session> | undefined)?.client?.close('busy');
      throw error;
    }
  }
}

export interface Engines {
  /** The engine for the editors of one API key: document names are unique only within it. */
  engineOf(scope: Scope): Hocuspocus<Session>;
  /** The engine of an API key, if there is one. */
  find(apiKeyId: string): Hocuspocus<Session> | undefined;
  all(): Iterable<[Scope, Hocuspocus<Session>]>;
  /** Number of open documents. */
  openCount(): number;
  stop(): void;
}

interface EngineOptions {
  limits: Limits;
  hooksFor(scope: Scope): Partial<Configuration<Session>>;
  /** API keys with connections, which may open an editor at any moment. */
  connectedKeys(): ReadonlySet<string | undefined>;
}

/** One Hocuspocus engine per API key, created on demand and removed when idle. */
export function createEngines({ limits, hooksFor, connectedKeys }: EngineOptions): Engines {
  const engines = new Map<string, { scope: Scope; engine: Hocuspocus<Session> }>();
  const timer = setInterval(() => {
    const connected = connectedKeys();
    for (const [apiKeyId, { engine }] of engines) {
      const isIdle = engine.documents.size === 0 && engine.loadingDocuments.size === 0;
      // A connection keeps using its engine, and rights are checked only in engines of this map.
      if (isIdle && !connected.has(apiKeyId)) engines.delete(apiKeyId);
    }
  }, PRUNE_EVERY_MS);

  return {
    engineOf(scope) {
      const known = engines.get(scope.apiKeyId);
      if (known) return known.engine;
      const engine = new Engine({
        quiet: true,
        debounce: KEPT_OPEN_MS,
        maxDebounce: 5 * KEPT_OPEN_MS,
        unloadImmediately: false,
        maxUnauthenticatedQueueSize: limits.messageBytes,
        maxUnauthenticatedQueueMessages: limits.queuedMessages,
        maxPendingDocuments: limits.documentsPerConnection,
        ...hooksFor(scope),
      });
      engines.set(scope.apiKeyId, { scope, engine });
      return engine;
    },
    find: (apiKeyId) => engines.get(apiKeyId)?.engine,
    *all() {
      for (const { scope, engine } of engines.values()) yield [scope, engine];
    },
    openCount: () => [...engines.values()].reduce((sum, { engine }) => sum + engine.documents.size, 0),
    stop: () => clearInterval(timer),
  };
}
