import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { Settings } from '../../deps.ts';
import { ApiError, resourceExhausted } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { FairTurns, type Turn } from '../../lib/threads/fair-turns.ts';
import type { Known } from '../request/authenticate.ts';
import { RateLimits } from './rate-limits.ts';

/** Lets requests in so that no caller can keep the others from being answered. */
export interface Admission {
  /** Counts a request by address whose caller is not known. Throws RESOURCE_EXHAUSTED. */
  meetStranger(request: FastifyRequest, reply: FastifyReply): void;
  /** Takes that back: the credentials proved right. */
  recognise(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request of a caller who is known. Throws RESOURCE_EXHAUSTED. */
  count(request: FastifyRequest, reply: FastifyReply): void;
  /**
   * Holds a place for the request, and for its body, until the answer is out. Throws RESOURCE_EXHAUSTED, and ABORTED
   * where the connection is closed already.
   */
  enter(request: FastifyRequest, reply: FastifyReply, bodyLimit: number): void;
  /**
   * Waits for the caller's turn to use the processor and the database. Rejects with RESOURCE_EXHAUSTED where that
   * takes too long, and with ABORTED once the connection is closed.
   */
  takeTurn(caller: string, weight: number, reply: FastifyReply): Turn | Promise<Turn>;
  readonly meters: readonly (Counter<string> | Gauge<string>)[];
}

const MIB = 1_048_576;
/** Bodies of one caller that are read or held at once. */
const CALLER_BYTES = 128 * MIB;
/** A request that has waited longer for its turn is refused: its sender has given up, or soon does. */
const TURN_WITHIN_MS = 30_000;
/** A body of this size weighs as much as a small request. */
const BYTES_PER_WEIGHT = 131_072;
const HEAVY_WEIGHT = 4;

/** The share of all turns that a single caller may hold, so that the next one begins at once. */
const CALLER_SHARE = 0.75;
/** While no other caller asks: enough that requests are parsed and answers written while others are in the database. */
const SHARE_ALONE = 2;

interface Held {
  requests: number;
  bytes: number;
}

/** Whose requests count together: those of an API key, of a workspace, or of an address that is not known. */
export function callerOf(known: Known | undefined, ip: string): string {
  return known?.apiKeyId ?? known?.workspaceId ?? `address ${networkOf(ip)}`;
}

const connectionClosed = () => new ApiError('ABORTED', 'The connection was closed before the answer.');

/** How much of the turns a request takes: large bodies and heavy operations weigh more. */
export const weightOf = (isHeavy: boolean, bodyBytes: number): number =>
  Math.max(isHeavy ? HEAVY_WEIGHT : 1, Math.min(8, 1 + Math.floor(bodyBytes / BYTES_PER_WEIGHT)));

/** `processes` answers how many processes serve requests, which share what a caller may ask for in a second. */
export function createAdmission(
  { keyRate, addressRate, requestsAtOnce, turns: capacity, turnsInCompany }: Settings,
  processes: () => number,
): Admission {
  // A load balancer need not spread the requests of a caller evenly.
  const share = () => Math.min(1, 2 / processes());
  const byKey = new RateLimits({
    policy: 'key',
    perSecond: keyRate,
    windowSeconds: 1,
    share,
    refusal: (quota) => `Too many requests: an API key may send ${quota} in a second.`,
  });
  const byAddress = new RateLimits({
    policy: 'address',
    perSecond: addressRate,
    // Many users behind one address may come back at once.
    windowSeconds: 5,
    share,
    refusal: (quota) =>
      `Too many requests without known credentials: an address may send ${quota} in a second.`,
  });
  const turns = new FairTurns({
    capacity,
    perOwner: Math.max(1, Math.floor(capacity * CALLER_SHARE)),
    inCompany: turnsInCompany.most,
    least: turnsInCompany.least,
    alone: capacity * SHARE_ALONE,
  });
  const held = new Map<string, Held>();
  const refused = new Counter({
    name: 'redpen_requests_refused_total',
    help: 'Requests refused to keep the service free for others, by reason.',
    labelNames: ['reason'],
    registers: [],
  });
  const counted = (reason: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      refused.inc({ reason });
      throw error;
    }
  };

  const hold = (caller: string, bytes: number): Held => {
    const now = held.get(caller) ?? { requests: 0, bytes: 0 };
    const most = Math.max(1, Math.round(requestsAtOnce * share()));
    if (now.requests >= most) {
      throw resourceExhausted(
        `Too many requests at once: a caller may have ${most} that are not answered yet.`,
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
    held.set(caller, now);
    return now;
  };

  return {
    meetStranger(request, reply) {
      counted('address_rate', () => byAddress.take(networkOf(request.ip), reply));
    },
    recognise(request, reply) {
      byAddress.giveBack(networkOf(request.ip));
      reply.removeHeader('ratelimit-policy').removeHeader('ratelimit');
    },
    count(request, reply) {
      const { caller, ip } = request;
      if (caller) counted('key_rate', () => byKey.take(callerOf(caller, ip), reply));
    },
    enter(request, reply, bodyLimit) {
      // Its `close` was emitted before, and would never give the place back.
      if (reply.raw.closed) throw connectionClosed();
      const caller = callerOf(request.caller, request.ip);
      const length = request.headers['content-length'];
      const bytes = length === undefined ? bodyLimit : Math.min(bodyLimit, Number(length));
      counted('at_once', () => {
        const now = hold(caller, bytes);
        reply.raw.once('close', () => {
          now.requests -= 1;
          now.bytes -= bytes;
          if (now.requests === 0) held.delete(caller);
        });
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
    meters: [
      refused,
      new Gauge({
        name: 'redpen_requests_waiting',
        help: 'Requests that wait for their turn.',
        registers: [],
        collect() {
          this.set(turns.waiting);
        },
      }),
      new Gauge({
        name: 'redpen_request_turns_taken',
        help: 'Weight of the requests that are being worked on.',
        registers: [],
        collect() {
          this.set(turns.taken);
        },
      }),
    ],
  };
}
