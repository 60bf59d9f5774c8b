import type { Logger } from 'pino';
import type { z } from 'zod';
import type { UserTokens } from '../access/user-token.ts';
import type { Statement } from '../db/prepared.ts';
import type { Db, Tx } from '../db/tables.ts';
import type { Settings } from '../deps.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { Keyring } from '../lib/crypto.ts';
import type { ErrorStatus } from '../lib/errors.ts';
import type { Caller, Member, MemberRole, Scope, TokenScope } from '../lib/scope.ts';
import type { Scorer } from '../memory/scoring/scorer.ts';
import type { Outside } from '../outside/outside.ts';
import type { Editors } from '../realtime/document/live-editors.ts';
import type { AuditAction } from '../shapes/audit/audit-actions.ts';
import type { AuditAct, AuditSource } from '../store/audit/record-audit.ts';
import type { OpenSession } from '../store/identity/sessions.ts';
import type { SendSlots } from '../webhooks/deliver/send-slots.ts';

/**
 * Credentials of an operation. `account` is the session of a person in the console, and `member` one with the API key that
 * the request names; such a session opens also the operations of backends, within the role of the member.
 */
export type Auth = 'public' | 'workspace' | 'apiKey' | 'apiKeyOrUser' | 'account' | 'member';
type PageField = 'nextPageToken' | 'pageToken' | undefined;

interface Callers {
  /** In operations of the console, the session that the browser has. */
  public: { session?: OpenSession } | undefined;
  workspace: { workspaceId: string; member?: Member | undefined };
  /** `authTokenId` is the id of the auth token in the headers; a member has none. */
  apiKey: Scope & Pick<Caller, 'member' | 'assistant'> & { authTokenId?: string | undefined };
  apiKeyOrUser: Caller;
  account: { session: OpenSession };
  member: Scope & { session: OpenSession; member: Member };
}

interface Base<A extends Auth> {
  caller: Callers[A];
  keyring: Keyring;
  userTokens: UserTokens;
  settings: Settings;
  requestId: string;
  /** The request body as it was sent: UTF-8 that has been checked to be JSON. */
  body: Uint8Array;
  /** Gives the caller's turn to the next request, because the handler now waits and uses neither processor nor database. */
  releaseTurn(): void;
  /** The address at which the caller reaches the service, such as `https://redpen.example.com`. */
  origin(): string;
  /** The client, as it presents itself. */
  client: { address: string; userAgent: string };
  /** The caller as the audit log names it, for operations that record themselves. */
  auditSource: AuditSource;
}
export interface ReadContext<A extends Auth = 'apiKey'> extends Base<A> {
  db: Db;
  /** Aborted once the client is gone or the server is about to stop. */
  clientSignal(): AbortSignal;
}
export interface StatementContext<A extends Auth = 'apiKey'> extends Base<A> {
  db: Db;
  /** Starts at 0. A statement that hits a key of another request's row writes nothing, and the handler is called again. */
  attempt: number;
}
/** The one statement of an operation, and the result for the rows that it returns. */
export interface OneStatement<Row, R> {
  statement: Statement<Row>;
  result(rows: Row[]): R | Promise<R>;
}
export interface WriteContext<A extends Auth = 'apiKey'> extends Base<A> {
  tx: Tx;
  jobs: Jobs;
  /** Drops the cached credentials of a key or workspace in every process once this commits. */
  revoke(id: string): void;
  /** Lets the browser keep the token of a session, or forget it, once this commits. */
  keepSession(session: { token: string; seconds: number } | undefined): void;
  /** Runs only if this commits: for log lines and counters. */
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
  /** Requests are counted per client address by default. */
  per?: 'address' | 'apiKey';
  perMinute(settings: Settings): number;
  message: string;
  /**
   * Message of a validation issue that takes precedence over this limit. Without one, a request over the limit is refused
   * before its body is read.
   */
  after?: string;
}

/** A form of a result. */
export interface ResultShape {
  /** The requests that get it, as a sentence for the reference. */
  when: string;
  data: z.ZodType;
}

/** A field of a request that the operation accepts and does not use. */
export interface IgnoredField {
  path: (string | number)[];
  /** The reason, as the end of a sentence. */
  because: string;
}

/** Something that an operation is done to; its type follows from the action. */
export type AuditTarget = Omit<AuditAct, 'action'> & {
  /** In place of the operation's own action. */
  action?: AuditAction;
  /** The workspace in whose log the act belongs; by default that of the caller. */
  workspaceId?: string;
  /** Who acts; by default the caller. */
  actor?: AuditSource['actor'];
};
type AuditTargets = AuditTarget | readonly AuditTarget[];

/** The entries of the audit log that an operation writes, in the transaction of its change. */
interface Audit<A extends Auth, Data, Result> {
  action: AuditAction;
  /** By default the API key or workspace of the caller, with the request as `after`. An empty list records nothing. */
  of?(data: Data, result: Result, caller: Callers[A], before: ReadonlyMap<string, unknown>): AuditTargets;
  /** The state before the change, or a map with the states of several targets, by their ids. `of` gets the map. */
  before?(data: Data, context: { db: Db; caller: Callers[A] }): Promise<unknown>;
  /** False for requests that need not be recorded. */
  applies?(data: Data): boolean;
  /** True if the handler records itself, because only it has the transaction or knows what changes. */
  recordsItself?: true;
  /** The entries for a request whose credentials are wrong. */
  refused?: { action: AuditAction; of(data: Data, context: { db: Db }): Promise<AuditTarget[]> };
}

interface Description<A extends Auth, D extends z.ZodType, R extends z.ZodType, P extends PageField> {
  /** Several if versions of the path behave the same. */
  path: string | readonly string[];
  auth: A;
  summary: string;
  description?: string;
  data: D;
  /** Fields of a valid request that have no effect, such as those that others replace. The answer warns of them. */
  ignores?(data: z.input<D>): IgnoredField[];
  /** True if the body may lack `data`. */
  dataOptional?: true;
  /** Schema of the result: a field that it does not declare is never sent. `z.undefined()` sends no data. */
  result: R;
  /**
   * The forms of a result that depends on the request, by name. The name is returned as `shape` beside `data`, so that
   * clients can tell the forms apart.
   */
  shapes?: Readonly<Record<string, ResultShape>>;
  /** The name of the form of this result. Required with `shapes`. */
  shapeOf?(result: z.output<R>, data: z.output<D>): string;
  message: string | ((result: z.output<R>, data: z.output<D>) => string);
  /** `bare`: the result itself; `status`: no data; `raw`: the result is the whole body. */
  envelope?: 'full' | 'bare' | 'status' | 'raw';
  /** Name of the field beside `data` that holds the cursor of a list. */
  page?: P;
  /** Further fields beside the `data` of a list with `page`, which each page has. */
  beside?: z.ZodObject;
  rateLimit?: RateLimit;
  /**
   * The number of findings or annotations on which a request decides, of which an assistant may decide few in a minute.
   * Throws INVALID_ARGUMENT if the request leaves it open.
   */
  decisionsOfAssistant?(data: z.output<D>): number;
  /** The least role of a member. By default viewers read, and editors do the rest, but only owners manage a workspace. */
  role?: MemberRole;
  /** The scope of personal tokens. By default `read` opens what viewers may do, and no scope the rest. */
  scope?: TokenScope | 'none';
  /** True for operations of the console alone, which no page of another origin may call. */
  isConsole?: true;
  /** A sentence if the operator has closed the operation: PERMISSION_DENIED, before the body is read. */
  closed?(settings: Settings): string | undefined;
  bodyLimitBytes?: number;
  /**
   * True if the operation stays available while storage is full: it stores nothing, only deletes, or writes next to
   * nothing.
   */
  availableWhenFull?: true;
  /** True for a call that changes nothing: a repeated request is carried out again, and no answer is stored for it. */
  changesNothing?: true;
  /** Large content in `data.data` is not parsed: its value is empty and the handler reads it from the body. */
  leavesContent?: true;
  /** The entries of the audit log that the operation writes. */
  audit?: Audit<A, z.output<D>, z.input<R>>;
  /** True if it needs much CPU or database time, so that few run at the same time for one caller. */
  isHeavy?: true;
  /** Names of secrets in the result that a replay by idempotency key does not contain. */
  onceOnly?: readonly string[];
  /** Failures specific to this operation, for the reference. */
  failures?: Partial<Record<ErrorStatus, string>>;
}

interface Definition<A extends Auth, D extends z.ZodType, R extends z.ZodType, P extends PageField, Context>
  extends Description<A, D, R, P> {
  handle(
    data: z.output<D>,
    context: Context,
  ): Promise<
    P extends string ? { data: z.input<R>; next: string | null | undefined; beside?: object } : z.input<R>
  >;
}

// biome-ignore lint/suspicious/noExplicitAny: the server keeps endpoints of every type in one list, and only a handler knows its types.
type Context = any;
export interface Endpoint extends Omit<Definition<Auth, z.ZodType, z.ZodType, PageField, Context>, 'audit'> {
  audit?: Audit<Auth, Context, Context>;
  kind: 'read' | 'statement' | 'write' | 'call';
}

/** Gets, lists and counts. The handler gets the database, outside of any transaction. */
export const read = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, ReadContext<A>>,
): Endpoint => endpointOf('read', definition);

/**
 * Changes rows by one statement, which is its own transaction and saves two round trips. The handler reads and returns
 * the statement; the server runs it, and opens a transaction if there is an idempotency key.
 */
export const statement = <A extends Auth, D extends z.ZodType, R extends z.ZodType, Row>(
  definition: Description<A, D, R, undefined> & {
    handle(data: z.output<D>, context: StatementContext<A>): Promise<OneStatement<Row, z.input<R>>>;
  },
): Endpoint => endpointOf('statement', definition);

/** Changes rows in one transaction around the handler, which is rolled back when it throws. */
export const write = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, WriteContext<A>>,
): Endpoint => endpointOf('write', definition);

/** Calls out of the process. The handler opens short transactions of its own, none across a network call. */
export const call = <
  A extends Auth,
  D extends z.ZodType,
  R extends z.ZodType,
  P extends PageField = undefined,
>(
  definition: Definition<A, D, R, P, CallContext<A>>,
): Endpoint => endpointOf('call', definition);

/** Erases the types of one operation: the server validates the data before it calls the handler. */
const endpointOf = (kind: Endpoint['kind'], definition: object): Endpoint =>
  ({ kind, ...definition }) as Endpoint;
