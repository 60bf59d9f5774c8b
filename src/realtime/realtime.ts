import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { documentRoleOf } from '../access/authorize.ts';
import type { Db } from '../db/tables.ts';
import type { Bus } from '../lib/bus/bus.ts';
import { ApiError } from '../lib/errors.ts';
import { networkOf } from '../lib/network.ts';
import { ClientConnection, type ConnectionDeps } from './connection/client-connection.ts';
import { ConnectionCounts, type ConnectionRefusal } from './connection/connection-counts.ts';
import { MessageBudgets } from './connection/message-budgets.ts';
import { recheckRights } from './connection/recheck-rights.ts';
import { TokenBuckets } from './connection/token-bucket.ts';
import { UnknownTokenLimit } from './connection/unknown-token-limit.ts';
import type { Editors } from './document/live-editors.ts';
import { Host } from './editor-host.ts';
import type { Cause } from './protocol/close-codes.ts';
import {
  connectionsClosed,
  connectionsOpen,
  connectionsRefused,
  connectionsUnauthenticated,
  connectionsWaiting,
  documentsOpen,
  oldestUnstored,
} from './protocol/editing-metrics.ts';
import { defaultLimits, type Limits } from './protocol/realtime-limits.ts';
import type { AuthenticatedUser, Session } from './protocol/session.ts';

export interface Health {
  connections: number;
  documents: number;
  /** Age in milliseconds of the oldest change that is not stored yet. */
  oldestUnstoredMs: number;
  busConnected: boolean;
  /** Connections that the service closed, by cause. */
  closed: Partial<Record<Cause, number>>;
}

interface RealtimeOptions {
  db: Db;
  bus: Bus;
  /**
   * Verifies a token that a page of this origin uses. Throws an ApiError. `onUnknown` is called before a token is
   * looked up that was not verified a moment ago, and may throw.
   */
  authenticate(token: string, origin: string | undefined, onUnknown?: () => void): Promise<AuthenticatedUser>;
  limits?: Partial<Limits>;
  /** Checks an API key's quota before more bytes are stored. */
  refusalOf?(apiKeyId: string, bytes: number): Cause | undefined;
  /**
   * Milliseconds for which changes are collected before they are stored together. A longer time makes storing cheaper
   * under load, and acknowledgments later.
   */
  collectMs?: number;
  onError(error: unknown, context?: object): void;
  /** Something that an operator may want to know. */
  onNotice(message: string, context: object): void;
}

const COLLECT_MS = 16;
const CHECK_CONNECTIONS_EVERY_MS = 500;
const PRUNE_EVERY_MS = 60_000;
const STORE_WITHIN_MS = 3_000;

export const createRealtime = (options: RealtimeOptions): Realtime => new Realtime(options);

/** The realtime server: serves editors to live clients (Hocuspocus protocol over WebSocket) and to the API. */
export class Realtime {
  readonly #options: RealtimeOptions;
  readonly #limits: Limits;
  readonly #host: Host;
  readonly #connections = new Set<ClientConnection>();
  readonly #closed: Health['closed'] = {};
  readonly #counts: ConnectionCounts<ClientConnection>;
  readonly #unknownTokens: UnknownTokenLimit;
  readonly #budgets: MessageBudgets;
  /** Token buckets of bytes, by user. */
  readonly #bytes: TokenBuckets;
  readonly #timers: NodeJS.Timeout[];
  #isStopping = false;
  #isChecking = false;

  constructor(options: RealtimeOptions) {
    this.#options = options;
    const limits: Limits = { ...defaultLimits, ...options.limits };
    this.#limits = limits;
    this.#counts = new ConnectionCounts(limits);
    this.#unknownTokens = new UnknownTokenLimit(limits.unknownTokensPerSecond);
    this.#budgets = new MessageBudgets(
      limits.keyMessagesPerSecond,
      limits.keyMessageBurst,
      limits.keyWaitingBytes,
    );
    this.#bytes = new TokenBuckets(limits.bytesPerSecond, limits.byteBurst);
    this.#host = new Host({
      db: options.db,
      bus: options.bus,
      limits,
      refusalOf: options.refusalOf,
      collectMs: options.collectMs ?? COLLECT_MS,
      onError: options.onError,
      onGone({ document }, cause) {
        for (const { context } of document.getConnections()) (context as Session).client.close(cause);
      },
      connectedKeys: () => new Set([...this.#connections].map(({ who }) => who.apiKeyId)),
    });
    this.#timers = [
      setInterval(() => this.#checkConnections(), CHECK_CONNECTIONS_EVERY_MS),
      setInterval(() => {
        for (const connection of this.#connections) connection.ping();
      }, limits.pingEveryMs),
      setInterval(() => {
        this.#bytes.prune(Date.now());
        this.#budgets.prune(Date.now());
      }, PRUNE_EVERY_MS),
      setInterval(() => this.#recheckRights(), limits.checkRightsEveryMs),
    ];
  }

  get editors(): Editors {
    return this.#host;
  }

  /** Makes room for one more connection from an IP address, or returns why there is none. */
  makeRoom(ip: string): ConnectionRefusal | 'stopping' | undefined {
    const refusal = this.#isStopping ? 'stopping' : this.#counts.makeRoom(networkOf(ip));
    if (refusal) connectionsRefused.inc({ cause: refusal });
    return refusal;
  }

  /** Serves an open WebSocket of a client at an IP address. */
  accept(ws: WebSocket, request: IncomingMessage, ip: string): void {
    const { origin } = request.headers;
    const address = networkOf(ip);
    // Hocuspocus expects a Fetch request, of which it reads nothing itself.
    const bare = new Request('http://localhost/v2/realtime');
    const connection: ClientConnection = new ClientConnection(
      ws,
      request.socket,
      bare,
      this.#depsOf(origin, address, () => connection),
    );
    this.#connections.add(connection);
    this.#counts.add(connection, address);
  }

  /** Closes all connections, and accepts no more. */
  disconnect(): void {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const connection of this.#connections) connection.close('restarting');
  }

  /** Stores what is not stored yet, and ends. */
  async stop(): Promise<void> {
    this.disconnect();
    this.#budgets.stop();
    await this.#host.stop(STORE_WITHIN_MS);
  }

  health(): Health {
    return {
      connections: this.#connections.size,
      documents: this.#host.engines.openCount(),
      oldestUnstoredMs: this.#host.log.oldestMs(),
      busConnected: this.#options.bus.isConnected(),
      closed: this.#closed,
    };
  }

  #depsOf(origin: string | undefined, address: string, self: () => ClientConnection): ConnectionDeps {
    const host = this.#host;
    return {
      limits: this.#limits,
      budgets: this.#budgets,
      log: host.log,
      engineOf: host.engines.engineOf,
      openEditorOf: (document) => host.openEditorOf(document),
      verify: (token) => this.#verify(token, origin, address, self()),
      authorize: async ({ scope, user }, editor) => {
        const { role, reason } = await documentRoleOf(this.#options.db, scope, user, editor);
        if (role === 'none') {
          const context = { apiKeyId: scope.apiKeyId, userId: user.userId, because: reason };
          this.#options.onNotice('access is refused', context);
          throw new ApiError('PERMISSION_DENIED', 'User does not have access to document');
        }
        if (host.connectionsTo(scope, editor) >= this.#limits.connectionsPerDocument) {
          throw new ApiError('RESOURCE_EXHAUSTED', 'Too many connections to this document.');
        }
        return { readOnly: role === 'viewer' };
      },
      charge: ({ scope, user }, bytes) =>
        this.#bytes.take(JSON.stringify([scope.apiKeyId, user.userId]), bytes, Date.now()),
      onAuthenticated: ({ scope }) => this.#counts.authenticate(self(), address, scope.apiKeyId),
      onClosed: (cause) => this.#onClosed(self(), address, cause),
    };
  }

  /** Verifies a token, unless its address has sent too many unknown ones. */
  async #verify(
    token: string,
    origin: string | undefined,
    address: string,
    connection: ClientConnection,
  ): Promise<AuthenticatedUser> {
    let isCounted = false;
    const count = () => {
      try {
        this.#unknownTokens.take(address);
      } catch (error) {
        connection.close('tooManyUnknownTokens');
        throw error;
      }
      isCounted = true;
    };
    try {
      const verified = await this.#options.authenticate(token, origin, count);
      if (isCounted) this.#unknownTokens.giveBack(address);
      return verified;
    } catch (error) {
      // The token was valid, or could not be looked up.
      const isUnknown = (error as { status?: string }).status === 'UNAUTHENTICATED';
      if (isCounted && !isUnknown) this.#unknownTokens.giveBack(address);
      throw error;
    }
  }

  #onClosed(connection: ClientConnection, address: string, cause: Cause | undefined): void {
    this.#connections.delete(connection);
    this.#counts.remove(connection, address);
    if (cause === undefined) return;
    this.#closed[cause] = (this.#closed[cause] ?? 0) + 1;
    connectionsClosed.inc({ cause });
    if (cause !== 'restarting') this.#options.onNotice('connection closed', { cause, ...connection.who });
  }

  #checkConnections(): void {
    for (const connection of this.#connections) connection.checkBacklog();
    connectionsOpen.set(this.#connections.size);
    connectionsUnauthenticated.set(this.#counts.unauthenticated);
    connectionsWaiting.set(this.#budgets.waiting);
    documentsOpen.set(this.#host.engines.openCount());
    oldestUnstored.set(this.#host.log.oldestMs() / 1_000);
  }

  #recheckRights(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { db, authenticate, onError } = this.#options;
    recheckRights({ db, engines: this.#host.engines.all, verify: (token) => authenticate(token, undefined) })
      .catch((error: unknown) => onError(error, { doing: 'checking rights' }))
      .finally(() => {
        this.#isChecking = false;
      });
  }
}
