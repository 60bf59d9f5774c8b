import type { Generated } from 'kysely';
import type { Fields } from '../../lib/json.ts';

export interface PlatformTables {
  storedBytes: {
    apiKeyId: string;
    rowBytes: Generated<number>;
    fileBytes: Generated<number>;
    /** Bytes that were added since the last full count began. */
    addedBytes: Generated<number>;
    /** Null before the first count. */
    countedAt: number | null;
    updatedAt: number;
  };
  /** Stored bytes of a workspace that belong to none of its API keys. */
  workspaceBytes: {
    workspaceId: string;
    storedBytes: number;
    countedAt: number;
  };
  /** The outbox: events are written in the transaction of the change. */
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
  /** The dead letters of the outbox: events on which a subscriber failed, with the time of the next retry. */
  eventFaults: {
    apiKeyId: string;
    eventId: string;
    subscriber: string;
    tries: number;
    nextAt: number;
    error: string;
  };
  idempotencyKeys: {
    /** The API key or workspace of the request; for public operations, the client's address. */
    caller: string;
    idempotencyKey: string;
    requestHash: string;
    /** The answer, which may contain credentials; null while the first request is in progress. */
    responseSealed: string | null;
    createdAt: number;
  };
  rateCounters: {
    bucket: string;
    windowStart: number;
    used: number;
  };
  /**
   * Internal hosts that the operator allowed in addition to REDPEN_ALLOW_HOSTS, in the syntax of an allow list.
   */
  allowedHosts: {
    entry: string;
    createdAt: number;
    /** When a process of the service first applied it. */
    inForceAt: number | null;
  };
  /** One sealed word, which shows at start whether the master key fits the data. */
  keyChecks: {
    keyId: string;
    sealed: string;
    createdAt: number;
    /** When it was last chosen to seal. The newest one seals. */
    adoptedAt: number;
  };
  /** The processes of the service with the master keys that they hold. */
  keyHolders: {
    processId: string;
    /** Host and number of the process, for the operator. */
    place: string;
    /** In the order of the source; the first one is to seal. */
    keyIds: string[];
    /** The key with which the process seals. */
    sealing: string;
    /** By the clock of the database. A process that was not seen for a while has ended. */
    seenAt: Date;
  };
}
