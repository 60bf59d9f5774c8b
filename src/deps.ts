import type { Logger } from 'pino';
import type { Counter, Gauge } from 'prom-client';
import type { StorageQuota } from './access/storage-quota.ts';
import type { UserTokens } from './access/user-token.ts';
import type { Database } from './db/connections/connect.ts';
import type { Db } from './db/tables.ts';
import type { Jobs } from './jobs/queue.ts';
import type { Keyring } from './lib/crypto.ts';
import type { Scorer } from './memory/scoring/scorer.ts';
import type { ModelWish } from './outside/models/models.ts';
import type { CheckUrl } from './outside/net/ssrf-guard.ts';
import type { Outside } from './outside/outside.ts';
import type { Editors } from './realtime/document/live-editors.ts';
import type { KeptDays } from './store/retention/retention.ts';
import type { SendSlots } from './webhooks/deliver/send-slots.ts';

/** Settings of the operator that endpoints read. */
export interface Settings {
  /** Plan of a new root workspace. */
  plan: 'free' | 'paid';
  /** Callers that may create workspaces over HTTP: all, all while there is no workspace, or none. */
  signup: 'open' | 'first' | 'closed';
  /** Workspaces one IP address may create a minute. */
  workspaceRate: number;
  /** Requests a second of an API key, and of an address without known credentials. */
  keyRate: number;
  addressRate: number;
  /** Connections a second that an address may open. */
  connectionRate: number;
  /** Concurrent requests that a caller may have. */
  requestsAtOnce: number;
  /** Requests that are worked on at the same time, by weight. Further requests wait for their turn. */
  turns: number;
  /** Turns of one caller while others send requests: the maximum, and the minimum for a caller with slow requests. */
  contendedTurns: { max: number; min: number };
  /** Operations that read from replicas: all that read, or lists and those that take much time of the database. */
  replicaReads: 'all' | 'lists';
  /** Factor on the limits of requests a minute and API key. 1 except in tests. */
  keyRateFactor: number;
  /** Time limit of one scope of a memory search in milliseconds. The default except in tests. */
  memoryScopeLimitMs?: number | undefined;
  /** Bytes that an API key may store. Unlimited if undefined. */
  storedBytes: number | undefined;
  /** Maximum size of a file that is attached to a comment. */
  attachmentBytes: number;
  /** Advanced webhook endpoints that an API key may have. */
  webhookEndpoints: number;
  /** Tokens that one execution may spend. */
  runTokens: number;
  /** Prices of a million tokens by model, as `provider/model`. */
  modelPrices: ReadonlyMap<string, { input: number; output: number }>;
  /** Days for which data is kept. */
  keptDays: KeptDays;
  trustProxy: string[];
  /** URL at which callers reach the service, if the operator sets it. */
  publicUrl?: string | undefined;
  /** Days for which entries of the audit log are kept; 0 for ever. */
  keepAuditDays: number;
  /** Days after which user tokens are signed with a new key; 0 for never. */
  signingKeyDays: number;
  /** Attempts to sign in to the console that one IP address has a minute. */
  signInRate: number;
  /** False if the service has no console. */
  console: boolean;
  /** Hosts under which the console may be used, besides loopback, IP addresses and that of `publicUrl`. */
  consoleHosts: string[];
  /** True if the service has a mail server of its own. */
  sendsMail: boolean;
  /** The treatment of requests with fields that their operation does not read, unless a header says it. */
  unknownFields: 'warn' | 'reject';
  bodyLimitBytes: number;
  checkUrl: CheckUrl;
  /** A sentence if the operator allows none of the requested models. */
  checkModel(wish: ModelWish): string | undefined;
  /** A sentence if the browser that the operator names is missing. */
  missingBrowser(): Promise<string | undefined>;
}

/** Monitors whether data can be stored, and how much each API key stores. */
export interface Storage {
  /** Sentences about why nothing can be stored right now; empty if it can. */
  faults(): string[];
  /** Calls back when storing becomes impossible and when it is possible again. */
  onChange(listener: (isRefusing: boolean) => void): () => void;
  quota: StorageQuota;
  /**
   * Called before something is stored. Throws UNAVAILABLE while nothing can be stored, and RESOURCE_EXHAUSTED if the
   * bytes would exceed the quota of the API key.
   */
  requireRoom(apiKeyId: string | undefined, bytes: number): void;
  /** Reports a failure, which may show that nothing can be stored. */
  note(error: unknown): void;
  /** Measures the disks now. */
  look(): Promise<void>;
  readonly metrics: readonly (Counter<string> | Gauge<string>)[];
  /** Must run while the database is open, to which it writes the latest counts. */
  stop(): Promise<void>;
}

/** Dependencies that `boot.ts` builds once. */
export interface Deps {
  database: Database;
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  userTokens: UserTokens;
  outside: Outside;
  webhookSlots: SendSlots;
  editors: Editors;
  scorer: Scorer;
  settings: Settings;
  storage: Storage;
  log: Logger;
}
