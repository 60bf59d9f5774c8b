import type { Logger } from 'pino';
import type { z } from 'zod';
import type { UserTokens } from '../access/user-token.ts';
import type { Statement } from '../db/prepared.ts';
import type { Db, Tx } from '../db/tables.ts';
import type { Settings } from '../deps.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { Keyring } from '../lib/crypto.ts';
import type { ErrorStatus } from '../lib/errors.ts';
import type { Caller, Scope } from '../lib/scope.ts';
import type { Scorer } from '../memory/scoring/scorer.ts';
import type { Outside } from '../outside/outside.ts';
import type { Editors } from '../realtime/document/editors.ts';
import type { SendSlots } from '../webhooks/deliver/send-slots.ts';

export type Auth = 'public' | 'workspace' | 'apiKey' | 'apiKeyOrUser';
type PageField = 'nextPageToken' | 'pageToken' | undefined;

interface Callers {
  public: undefined;
  workspace: { workspaceId: string };
  /** `authTokenId` names the auth token that was presented. */
  apiKey: Scope & { authTokenId: string };
  apiKeyOrUser: Caller;
}

interface Base<A extends Auth> {
  caller: Callers[A];
  keyring: Keyring;
  userTokens: UserTokens;
  settings: Settings;
  requestId: string;
  /** The request as it was sent; UTF-8 that was read as JSON already. */
  body: Uint8Array;
  /** Gives the caller's turn to the next: what follows waits for others, and takes neither processor nor database. */
  letGo(): void;
  /** The address at which the caller reaches the service, such as `https://redpen.example.com`. */
  origin(): string;
}
export interface ReadContext<A extends Auth = 'apiKey'> extends Base<A> {
  db: Db;
  /** Aborted once nobody waits for the answer, or the server is about to stop. */
  untilGone(): AbortSignal;
}
export interface StatementContext<A extends Auth = 'apiKey'> extends Base<A> {
  db: Db;
  /** 0 at first. A statement that met a key of another request's row wrote nothing, and is asked for anew. */
  attempt: number;
}
/** All that an operation writes, and what it answers once that is written. */
export interface OneStatement<Row, R> {
  statement: Statement<Row>;
  result(rows: Row[]): R | Promise<R>;
}
export interface WriteContext<A extends Auth = 'apiKey'> extends Base<A> {
  tx: Tx;
  jobs: Jobs;
  /** Makes every process forget what it knows of a key's or workspace's credentials, once this commits. */
  revoke(id: string): void;
  /** Does that once this commits, and not where it is rolled back: for lines of the log and for what is counted. */
  afterCommit(work: (log: Logger) => void): void;
}
export interface CallContext<A extends Auth = 'apiKey'> extends Base<A> {
  db: Db;
  jobs: Jobs;
  outside: Outside;
  webhookSlots: SendSlots;
  editors: Editors;
  scorer: Scorer;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface RateLimit {
  name: string;
  /** Whose requests are counted together: by default those of a client's address. */
  per?: 'address' | 'apiKey';
  perMinute(settings: Settings): number;
  message: string;
  /** The problem of a body that goes before this limit; without one the body is not read over the limit. */
  after?: string;
}

interface Description<A extends Auth, D extends z.ZodType, R extends z.ZodType, P extends PageField> {
  /** Several where versions of the path answer alike. */
  path: string | readonly string[];
  auth: A;
  summary: string;
  description?: string;
  data: D;
  /** The body may lack `data`. */
  dataOptional?: true;
  /** What is sent; a field it does not name never leaves. `z.undefined()` sends no data. */
  result: R;
  message: string | ((result: z.output<R>, data: z.output<D>) => string);
  /** `bare`: the result itself; `status`: no data; `raw`: the result is the whole body. */
  envelope?: 'full' | 'bare' | 'status' | 'raw';
  /** Beside `data`, the cursor of a list goes under this name. */
  page?: P;
  rateLimit?: RateLimit;
  /** Why the operator has closed the operation, in a sentence: PERMISSION_DENIED, before the body is read. */
  closed?(settings: Settings): string | undefined;
  bodyLimitBytes?: number;
  /** It only takes away, or keeps nothing of what it does: it goes on where nothing may be added. */
  storesNothing?: true;
  /** Large content in `data.data` is left to the handler, which finds it in the body: its value is empty then. */
  leavesContent?: true;
  /** It takes much of the processor or the database, so that few of a caller run at once. */
  isHeavy?: true;
  /** Secrets of the result that a repeated request with its idempotency key does not get again. */
  onceOnly?: readonly string[];
  /** Failures of its own, for the reference. */
  failures?: Partial<Record<ErrorStatus, string>>;
}

interface Definition<A extends Auth, D extends z.ZodType, R extends z.ZodType, P extends PageField, Context>
  extends Description<A, D, R, P> {
  handle(
    data: z.output<D>,
    context: Context,
  ): Promise<P extends string ? { data: z.input<R>; next: string | null | undefined } : z.input<R>>;
}

// The server holds endpoints of every type in one list; only each one's own handler sees its types.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Any = any;
export interface Endpoint extends Definition<Auth, z.ZodType, z.ZodType, PageField, Any> {
  kind: 'read' | 'statement' | 'write' | 'call';
}

/** Gets, lists and counts: given the database, outside of any transaction. */
export const read = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, ReadContext<A>>,
): Endpoint => ({ kind: 'read', ...definition }) as unknown as Endpoint;

/**
 * Changes rows by one statement, which is its own transaction and spares the two round trips around it. The handler
 * reads, and answers the statement; the server runs it, with an idempotency key in a transaction.
 */
export const statement = <A extends Auth, D extends z.ZodType, R extends z.ZodType, Row>(
  definition: Description<A, D, R, undefined> & {
    handle(data: z.output<D>, context: StatementContext<A>): Promise<OneStatement<Row, z.input<R>>>;
  },
): Endpoint => ({ kind: 'statement', ...definition }) as unknown as Endpoint;

/** Changes rows: one transaction around the handler, rolled back when it throws. */
export const write = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, WriteContext<A>>,
): Endpoint => ({ kind: 'write', ...definition }) as unknown as Endpoint;

/** Leaves the process: opens short transactions of its own, none across a network call. */
export const call = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, CallContext<A>>,
): Endpoint => ({ kind: 'call', ...definition }) as unknown as Endpoint;
