import type { Logger } from 'pino';
import type { Counter, Gauge } from 'prom-client';
import type { StorageQuota } from './access/storage-quota.ts';
import type { UserTokens } from './access/user-token.ts';
import type { Database } from './db/connect.ts';
import type { Db } from './db/tables.ts';
import type { Jobs } from './jobs/queue.ts';
import type { Keyring } from './lib/crypto.ts';
import type { Scorer } from './memory/scoring/scorer.ts';
import type { ModelWish } from './outside/models/models.ts';
import type { Outside } from './outside/outside.ts';
import type { Editors } from './realtime/document/editors.ts';
import type { SendSlots } from './webhooks/deliver/send-slots.ts';

/** What the operator chose, as far as rules depend on it. */
export interface Settings {
  /** Plan of a new root workspace. */
  plan: 'free' | 'paid';
  /** The callers that may create workspaces over HTTP: all, all while there is none, or none. */
  signup: 'open' | 'first' | 'closed';
  /** Workspaces one IP address may create a minute. */
  workspaceRate: number;
  /** Requests that an API key, and an address whose credentials are not known, may send a second. */
  keyRate: number;
  addressRate: number;
  /** Connections that an address may open a second. */
  connectionRate: number;
  /** Requests that a caller may have at once that are not answered yet. */
  requestsAtOnce: number;
  /** Requests that are worked on at once, by weight; the others wait for their turn. */
  turns: number;
  /** How many of them one caller has at most while others ask, and how many at least. */
  turnsInCompany: { most: number; least: number };
  /** By how much the limits of requests a minute and API key are raised; 1 but for tests. */
  keyRateFactor: number;
  /** Bytes that an API key may store; undefined without a bound. */
  storedBytes: number | undefined;
  /** Advanced webhook endpoints that an API key may have. */
  webhookEndpoints: number;
  /** Tokens that one execution may spend. */
  runTokens: number;
  trustProxy: string[];
  /** At which callers reach the service, where the operator says so. */
  publicUrl?: string | undefined;
  bodyLimitBytes: number;
  /** Why the outbound guard will refuse a URL, as far as that can be told without asking anybody. */
  judgeUrl(url: string): string | undefined;
  /** Why the operator allows none of the models that are wished for, in a sentence. */
  judgeModel(wish: ModelWish): string | undefined;
}

/** Says if anything can be stored, and how much each API key stores. */
export interface Storage {
  /** In sentences, why nothing can be stored right now. */
  faults(): string[];
  /** Calls back when nothing can be stored any more, and when that has ended. */
  onChange(listener: (isRefusing: boolean) => void): () => void;
  quota: StorageQuota;
  /**
   * Before something is stored. Throws UNAVAILABLE while nothing can be, and RESOURCE_EXHAUSTED where so many bytes
   * more would be too many for the API key.
   */
  requireRoom(apiKeyId: string | undefined, bytes: number): void;
  /** Looks at what failed: it may be that nothing can be stored. */
  note(error: unknown): void;
  /** Measures the disks now. */
  look(): Promise<void>;
  readonly meters: readonly (Counter<string> | Gauge<string>)[];
  /** While the database is still open, in which it writes down what was stored last. */
  stop(): Promise<void>;
}

/** Everything that is built once and handed down; `boot.ts` builds it. */
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
