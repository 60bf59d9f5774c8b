import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { roleOf } from '../access/admit.ts';
import type { Db } from '../db/tables.ts';
import type { Bus } from '../lib/bus/bus.ts';
import { ApiError } from '../lib/errors.ts';
import { networkOf } from '../lib/network.ts';
import { Gate } from './connection/client-connection.ts';
import { ConnectionCounts, type Refusal } from './connection/connection-counts.ts';
import type { GateParts, Verified } from './connection/gate-parts.ts';
import type { Session } from './connection/hooks.ts';
import { MessageBudgets } from './connection/message-budgets.ts';
import { checkRights } from './connection/rights.ts';
import { Allowances } from './connection/token-bucket.ts';
import { TokenTries } from './connection/token-tries.ts';
import type { Editors } from './document/editors.ts';
import { createHost } from './host.ts';
import type { Cause } from './protocol/close-codes.ts';
import {
  connectionsClosed,
  connectionsOpen,
  connectionsRefused,
  connectionsUnauthenticated,
  connectionsWaiting,
  documentsOpen,
  oldestUnstored,
} from './protocol/editing-meters.ts';
import { defaultLimits, type Limits } from './protocol/limits.ts';

export interface Realtime {
  editors: Editors;
  /** Makes room for one more connection from an IP address; answers why there is none, where there is none. */
  makeRoom(ip: string): Refusal | 'stopping' | undefined;
  /** Serves a WebSocket that was opened, by a client at an IP address. */
  accept(ws: WebSocket, request: IncomingMessage, ip: string): void;
  /** Closes all connections, and takes no more. */
  disconnect(): void;
  /** Stores what is not stored yet, and ends. */
  stop(): Promise<void>;
  health(): Health;
}

export interface Health {
  connections: number;
  documents: number;
  /** Age in milliseconds of the oldest change that is not stored yet. */
  oldestUnstoredMs: number;
  busConnected: boolean;
  /** Connections that were closed from this side, by cause. */
  closed: Partial<Record<Cause, number>>;
}

interface RealtimeOptions {
  db: Db;
  bus: Bus;
  /**
   * Who a token is of, if a page of this origin may use it; throws an ApiError otherwise. `onUnknown` is called before
   * a token is looked up that was not right a moment ago, and may throw.
   */
  authenticate(token: string, origin: string | undefined, onUnknown?: () => void): Promise<Verified>;
  limits?: Partial<Limits>;
  /** Why so many bytes of an API key cannot be stored; asked for each change that is to be. */
  refusalOf?(apiKeyId: string, bytes: number): Cause | undefined;
  /**
   * How long changes are collected before they are stored together, in milliseconds: the longer, the less storing
   * costs when many people type, and the later they are told that it is done.
   */
  collectMs?: number;
  onError(error: unknown, context?: object): void;
  /** Something that whoever runs the service may want to know. */
  onNotice(message: string, context: object): void;
}

const COLLECT_MS = 16;
const TEND_EVERY_MS = 500;
const PRUNE_EVERY_MS = 60_000;
const STORE_WITHIN_MS = 3_000;

/** Serves editors to live clients (Hocuspocus protocol) and to the API. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { db, bus, authenticate, onError, onNotice } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const gates = new Set<Gate>();
  const closed: Health['closed'] = {};
  const counts = new ConnectionCounts<Gate>(limits);
  const tries = new TokenTries(limits.unknownTokensPerSecond);
  const budgets = new MessageBudgets(
    limits.keyMessagesPerSecond,
    limits.keyMessageBurst,
    limits.keyWaitingBytes,
  );
  let isStopping = false;
  const allowances = new Allowances(limits.bytesPerSecond, limits.byteBurst);

  const host = createHost({
    db,
    bus,
    limits,
    refusalOf: options.refusalOf,
    collectMs: options.collectMs ?? COLLECT_MS,
    onError,
    onGone({ document }, cause) {
      for (const { context } of document.getConnections()) (context as Session).gate.close(cause);
    },
    connectedKeys: () => new Set([...gates].map(({ who }) => who.apiKeyId)),
  });

  /** Looks a token up as long as its address has not shown too many that are not known. */
  const verify = async (token: string, origin: string | undefined, address: string, gate: Gate) => {
    let isCounted = false;
    const count = () => {
      try {
        tries.take(address);
      } catch (error) {
        gate.close('tooManyUnknownTokens');
        throw error;
      }
      isCounted = true;
    };
    try {
      const verified = await authenticate(token, origin, count);
      if (isCounted) tries.giveBack(address);
      return verified;
    } catch (error) {
      // It was right, or could not be looked up.
      if (isCounted && (error as { status?: string }).status !== 'UNAUTHENTICATED') tries.giveBack(address);
      throw error;
    }
  };

  const parts = (origin: string | undefined, address: string, gate: () => Gate): GateParts => ({
    limits,
    budgets,
    engineOf: host.engineOf,
    openEditorOf: host.openEditorOf,
    log: host.log,
    verify: (token) => verify(token, origin, address, gate()),
    async admit({ scope, user }, editor) {
      const { role, because } = await roleOf(db, scope, user, editor);
      if (role === 'none') {
        onNotice('access is refused', { apiKeyId: scope.apiKeyId, userId: user.userId, because });
        throw new ApiError('PERMISSION_DENIED', 'User does not have access to document');
      }
      if (host.connectionsTo(scope, editor) >= limits.connectionsPerDocument) {
        throw new ApiError('RESOURCE_EXHAUSTED', 'Too many connections to this document.');
      }
      return { readOnly: role === 'viewer' };
    },
    charge: ({ scope, user }, amount) =>
      allowances.take(JSON.stringify([scope.apiKeyId, user.userId]), amount, Date.now()),
    onAuthenticated: ({ scope }) => counts.authenticate(gate(), address, scope.apiKeyId),
    onClosed: (cause) => forget(gate(), address, cause),
  });
  const forget = (gate: Gate, address: string, cause: Cause | undefined) => {
    gates.delete(gate);
    counts.remove(gate, address);
    if (cause === undefined) return;
    closed[cause] = (closed[cause] ?? 0) + 1;
    connectionsClosed.inc({ cause });
    if (cause !== 'restarting') onNotice('connection closed', { cause, ...gate.who });
  };

  let isChecking = false;
  const timers = [
    setInterval(() => {
      for (const gate of gates) gate.tend();
      connectionsOpen.set(gates.size);
      connectionsUnauthenticated.set(counts.unauthenticated);
      connectionsWaiting.set(budgets.waiting);
      documentsOpen.set(host.openCount());
      oldestUnstored.set(host.log.oldestMs() / 1_000);
    }, TEND_EVERY_MS),
    setInterval(() => {
      for (const gate of gates) gate.ping();
    }, limits.pingEveryMs),
    setInterval(() => {
      allowances.prune(Date.now());
      budgets.prune(Date.now());
    }, PRUNE_EVERY_MS),
    setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      checkRights({ db, engines: host.engines, verify: (token) => authenticate(token, undefined) })
        .catch((error: unknown) => onError(error, { doing: 'checking rights' }))
        .finally(() => {
          isChecking = false;
        });
    }, limits.checkRightsEveryMs),
  ];

  return {
    editors: host,
    makeRoom(ip) {
      const refusal = isStopping ? 'stopping' : counts.makeRoom(networkOf(ip));
      if (refusal) connectionsRefused.inc({ cause: refusal });
      return refusal;
    },
    accept(ws, request, ip) {
      const { origin } = request.headers;
      const address = networkOf(ip);
      // The engine asks for a request of the Fetch Standard, and reads nothing of it but what is handed on to hooks.
      const bare = new Request('http://localhost/v2/realtime');
      const gate: Gate = new Gate(
        ws,
        request.socket,
        bare,
        parts(origin, address, () => gate),
      );
      gates.add(gate);
      counts.add(gate, address);
    },
    disconnect() {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const gate of gates) gate.close('restarting');
    },
    async stop() {
      this.disconnect();
      budgets.stop();
      await host.stop(STORE_WITHIN_MS);
    },
    health: () => ({
      connections: gates.size,
      documents: host.openCount(),
      oldestUnstoredMs: host.log.oldestMs(),
      busConnected: bus.isConnected(),
      closed,
    }),
  };
}
