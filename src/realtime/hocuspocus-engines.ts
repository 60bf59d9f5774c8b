import { randomUUID } from 'node:crypto';
import { type Configuration, type Document, Hocuspocus } from '@hocuspocus/server';
import type { Scope } from '../lib/scope.ts';
import type { Limits } from './protocol/realtime-limits.ts';
import type { Session } from './protocol/session.ts';

/** Delay before Hocuspocus unloads a document without connections; a client that writes once often writes again. */
const KEPT_OPEN_MS = 2_000;
/** Setting the timer of a document anew with every change would cost more than many changes do. */
const KEEP_AGAIN_MS = 500;
const PRUNE_EVERY_MS = 60_000;

/** Hocuspocus, which closes waiting clients with a code when their document cannot be loaded. */
export class Engine extends Hocuspocus<Session> {
  readonly #keptAt = new WeakMap<Document, number>();

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

  /**
   * Opens a document for a change over REST; `release` must follow. A direct connection of Hocuspocus would cost several
   * times as much as a small change, because it makes a request, headers and timers each time.
   */
  async hold(name: string): Promise<Document> {
    const document = this.documents.get(name) ?? (await this.#open(name));
    document.addDirectConnection();
    return document;
  }

  release(document: Document): void {
    document.removeDirectConnection();
    this.keepOpen(document);
  }

  /** Unloads a document some time after its last change, if no client has it open then. */
  keepOpen(document: Document): void {
    const now = Date.now();
    const isTimed = this.debouncer.isDebounced(`onStoreDocument-${document.name}`);
    if (isTimed && now - (this.#keptAt.get(document) ?? 0) < KEEP_AGAIN_MS) return;
    this.#keptAt.set(document, now);
    void this.storeDocumentHooks(document, {
      instance: this,
      clientsCount: document.getConnectionsCount(),
      document,
      documentName: document.name,
      lastContext: {} as Session,
      lastTransactionOrigin: null,
    });
  }

  #open(name: string): Promise<Document> {
    const config = { isAuthenticated: true, readOnly: false };
    return this.createDocument(name, new Request('http://localhost'), randomUUID(), config);
  }
}

export interface Engines {
  /** The engine for the editors of one API key: document names are unique only within it. */
  engineOf(scope: Scope): Engine;
  /** The engine of an API key, if there is one. */
  find(apiKeyId: string): Engine | undefined;
  all(): Iterable<[Scope, Engine]>;
  /** Number of open documents. */
  openCount(): number;
  stop(): void;
}

interface EngineOptions {
  limits: Limits;
  hooksFor(scope: Scope, keepOpen: (document: Document) => void): Partial<Configuration<Session>>;
  /** API keys with connections, which may open an editor at any moment. */
  connectedKeys(): ReadonlySet<string | undefined>;
}

/** One Hocuspocus engine per API key, created on demand and removed when idle. */
export function createEngines({ limits, hooksFor, connectedKeys }: EngineOptions): Engines {
  const engines = new Map<string, { scope: Scope; engine: Engine }>();
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
      const engine: Engine = new Engine({
        quiet: true,
        debounce: KEPT_OPEN_MS,
        maxDebounce: 5 * KEPT_OPEN_MS,
        unloadImmediately: false,
        maxUnauthenticatedQueueSize: limits.messageBytes,
        maxUnauthenticatedQueueMessages: limits.queuedMessages,
        maxPendingDocuments: limits.documentsPerConnection,
        ...hooksFor(scope, (document) => engine.keepOpen(document)),
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
