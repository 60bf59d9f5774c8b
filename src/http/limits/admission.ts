import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { Settings } from '../../deps.ts';
import { ApiError, resourceExhausted } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { FairTurns, type Turn } from '../../lib/threads/fair-turns.ts';
import type { KnownCaller } from '../request/known-caller.ts';
import { CallerBuckets } from './caller-buckets.ts';

/** Admission control: keeps one caller from starving the others. */
export interface Admission {
  /** Counts a request by address because its caller is not known. Throws RESOURCE_EXHAUSTED. */
  countAddress(request: FastifyRequest, reply: FastifyReply): void;
  /** Takes the count back because the credentials proved valid. */
  uncountAddress(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request of a known caller. Throws RESOURCE_EXHAUSTED. */
  count(request: FastifyRequest, reply: FastifyReply): void;
  /**
   * Counts the request and its body against the caller's share until the response is sent. Throws RESOURCE_EXHAUSTED,
   * and ABORTED if the connection is closed already.
   */
  enter(request: FastifyRequest, reply: FastifyReply, bodyLimit: number): void;
  /**
   * Waits for the caller's turn to use the processor and the database. Rejects with RESOURCE_EXHAUSTED if that takes
   * too long, and with ABORTED once the connection is closed.
   */
  takeTurn(caller: string, weight: number, reply: FastifyReply): Turn | Promise<Turn>;
  readonly metrics: readonly (Counter<string> | Gauge<string>)[];
}

const MIB = 1_048_576;
/** Bodies of one caller that are read or in memory at the same time. */
const CALLER_BYTES = 128 * MIB;
/** A request that has waited longer for its turn is refused: its sender has given up or soon will. */
const TURN_WITHIN_MS = 30_000;
/** A body of this size weighs as much as a small request. */
const BYTES_PER_WEIGHT = 131_072;
const HEAVY_WEIGHT = 4;

/** Share of all turns that a single caller may take, so that the next caller begins at once. */
const CALLER_SHARE = 0.75;
/**
 * Multiple of the turns for a caller without competition, because requests are parsed while others are in the database.
 */
const SHARE_UNCONTENDED = 2;

/** The caller under which requests count: an API key, a workspace, an account, or an address without known credentials. */
export function callerOf(known: KnownCaller | undefined, ip: string): string {
  const { apiKeyId, workspaceId, session } = known ?? {};
  return apiKeyId ?? workspaceId ?? session?.accountId ?? `address ${networkOf(ip)}`;
}

const connectionClosed = () => new ApiError('ABORTED', 'The connection was closed before the answer.');

/** Weight of a request in turns: large bodies and heavy operations weigh more. */
export const weightOf = (isHeavy: boolean, bodyBytes: number): number =>
  Math.max(isHeavy ? HEAVY_WEIGHT : 1, Math.min(8, 1 + Math.floor(bodyBytes / BYTES_PER_WEIGHT)));

const countRefusal = (refused: Counter<'reason'>, reason: string, work: () => void): void => {
  try {
    work();
  } catch (error) {
    refused.inc({ reason });
    throw error;
  }
};

/** Token buckets of known callers and of addresses. `share` is this process's part of the rate. */
function createBuckets({ keyRate, addressRate }: Settings, share: () => number) {
  return {
    byKey: new CallerBuckets({
      policy: 'key',
      perSecond: keyRate,
      windowSeconds: 1,
      share,
      refusal: (quota) => `Too many requests: an API key may send ${quota} in a second.`,
    }),
    byAddress: new CallerBuckets({
      policy: 'address',
      perSecond: addressRate,
      // Many users behind one address may come back at once.
      windowSeconds: 5,
      share,
      refusal: (quota) =>
        `Too many requests without known credentials: an address may send ${quota} in a second.`,
    }),
  };
}

interface Pending {
  requests: number;
  bytes: number;
}

/** Counts the requests and body bytes of each caller that are still in progress. */
export class PendingRequests {
  readonly #byCaller = new Map<string, Pending>();

  /** Returns a function that takes the request out again. Throws RESOURCE_EXHAUSTED. */
  add(caller: string, bytes: number, maxRequests: number): () => void {
    const now = this.#byCaller.get(caller) ?? { requests: 0, bytes: 0 };
    if (now.requests >= maxRequests) {
      throw resourceExhausted(
        `Too many requests at once: a caller may have ${maxRequests} that are not answered yet.`,
        1,
      );
    }
    if (now.requests > 0 && now.bytes + bytes > CALLER_BYTES) {
      throw resourceExhausted(
        `Too large requests at once: a caller may have ${CALLER_BYTES / MIB} MiB of bodies that are not answered yet.`,
        1,
      );
    }
    now.requests += 1;
    now.bytes += bytes;
    this.#byCaller.set(caller, now);
    return () => {
      now.requests -= 1;
      now.bytes -= bytes;
      if (now.requests === 0) this.#byCaller.delete(caller);
    };
  }
}

/** `processes` returns the number of processes that serve requests; they share the rates of a caller. */
export function createAdmission(settings: Settings, processes: () => number): Admission {
  const { requestsAtOnce, turns: capacity, contendedTurns } = settings;
  // A load balancer need not spread the requests of a caller evenly.
  const share = () => Math.min(1, 2 / processes());
  const { byKey, byAddress } = createBuckets(settings, share);
  const turns = new FairTurns({
    capacity,
    perOwner: Math.max(1, Math.floor(capacity * CALLER_SHARE)),
    contended: contendedTurns.max,
    minContended: contendedTurns.min,
    uncontended: capacity * SHARE_UNCONTENDED,
  });
  const pending = new PendingRequests();
  const refused = new Counter({
    name: 'redpen_requests_refused_total',
    help: 'Requests refused to keep the service free for others, by reason.',
    labelNames: ['reason'],
    registers: [],
  });

  return {
    countAddress(request, reply) {
      countRefusal(refused, 'address_rate', () => byAddress.take(networkOf(request.ip), reply));
    },
    uncountAddress(request, reply) {
      byAddress.giveBack(networkOf(request.ip));
      reply.removeHeader('ratelimit-policy').removeHeader('ratelimit');
    },
    count(request, reply) {
      const { caller, ip } = request;
      if (caller) countRefusal(refused, 'key_rate', () => byKey.take(callerOf(caller, ip), reply));
    },
    enter(request, reply, bodyLimit) {
      // The `close` event has passed already, so nothing would ever remove the request from the count.
      if (reply.raw.closed) throw connectionClosed();
      const caller = callerOf(request.caller, request.ip);
      const length = request.headers['content-length'];
      const bytes = length === undefined ? bodyLimit : Math.min(bodyLimit, Number(length));
      const max = Math.max(1, Math.round(requestsAtOnce * share()));
      countRefusal(refused, 'at_once', () => {
        reply.raw.once('close', pending.add(caller, bytes, max));
      });
    },
    takeTurn(caller, weight, { raw }) {
      const turn = turns.tryTake(caller, weight);
      if (turn) return turn;
      const place = turns.take(caller, weight);
      const onClose = () => place.leave(connectionClosed());
      raw.once('close', onClose);
      if (raw.closed) onClose();
      const late = setTimeout(() => {
        refused.inc({ reason: 'turn' });
        place.leave(resourceExhausted('The service is busy with earlier requests.', 5));
      }, TURN_WITHIN_MS);
      return place.turn.finally(() => {
        clearTimeout(late);
        raw.off('close', onClose);
      });
    },
    metrics: [
      refused,
      new Gauge({
        name: 'redpen_requests_waiting',
        help: 'Requests waiting for their turn.',
        registers: [],
        collect() {
          this.set(turns.waiting);
        },
      }),
      new Gauge({
        name: 'redpen_request_turns_taken',
        help: 'Total weight of the requests in progress.',
        registers: [],
        collect() {
          this.set(turns.taken);
        },
      }),
    ],
  };
}
