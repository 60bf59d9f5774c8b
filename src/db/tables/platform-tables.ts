import type { Generated } from 'kysely';
import type { Fields } from '../../lib/json.ts';

export interface PlatformTables {
  storedBytes: {
    apiKeyId: string;
    rowBytes: Generated<number>;
    fileBytes: Generated<number>;
    /** What came since the last count began. */
    addedBytes: Generated<number>;
    /** Null before the first count. */
    countedAt: number | null;
    updatedAt: number;
  };
  /** The outbox: what happened, written in the transaction that did it. */
  events: {
    apiKeyId: string;
    eventId: string;
    seq: Generated<number>;
    workspaceId: string;
    name: string;
    payload: Fields;
    createdAt: number;
    relayedAt: number | null;
  };
  /** That a subscriber could not take an event, and when it is tried again. */
  eventFaults: {
    apiKeyId: string;
    eventId: string;
    subscriber: string;
    tries: number;
    nextAt: number;
    error: string;
  };
  idempotencyKeys: {
    /** The API key or workspace that asked; of public operations, their client's address. */
    caller: string;
    idempotencyKey: string;
    requestHash: string;
    /** The answer, which may hold credentials; null while the first request is at work. */
    responseSealed: string | null;
    createdAt: number;
  };
  rateCounters: {
    bucket: string;
    windowStart: number;
    used: number;
  };
  /** Internal hosts that the operator allowed beside those of REDPEN_ALLOW_HOSTS, as an allow list has them. */
  allowedHosts: {
    entry: string;
    createdAt: number;
    /** When a process of the service first went by it. */
    inForceAt: number | null;
  };
  /** One sealed word: tells at start whether the master key fits the data. */
  keyChecks: {
    keyId: string;
    sealed: string;
    createdAt: number;
  };
}
