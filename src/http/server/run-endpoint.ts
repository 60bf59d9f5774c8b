import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isTransient, isUniqueViolation } from '../../db/database-errors.ts';
import type { Db, Tables, Tx } from '../../db/tables.ts';
import type { Deps, Settings } from '../../deps.ts';
import { sha256 } from '../../lib/crypto.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { mapInSlices } from '../../lib/threads/in-slices.ts';
import type { Models } from '../../outside/models/models.ts';
import {
  claimIdempotencyKey,
  releaseIdempotencyKey,
  type StoredResponse,
  storeResponse,
} from '../../store/platform/idempotency.ts';
import type { Endpoint, OneStatement } from '../endpoint.ts';
import { failure, httpStatus } from '../envelope.ts';
import { auditSourceOf } from '../request/audit-source.ts';
import type { Authenticator } from '../request/authenticate.ts';
import type { KnownCaller } from '../request/known-caller.ts';
import { leavesContentOf } from '../request/parse.ts';
import type { Warnings } from '../request/unknown-fields.ts';
import { audited, isAudited, noteRefusal } from './audit-operation.ts';

export interface OperationRequest {
  endpoint: Endpoint;
  path: string;
  data: unknown;
  /** Unknown fields of the request, which the answer reports. */
  warnings: Warnings | undefined;
  body: Uint8Array;
  caller: KnownCaller | undefined;
  requestId: string;
  clientIp: string;
  userAgent: string;
  /** The address at which the caller reaches the service, such as `https://redpen.example.com`. */
  origin(): string;
  /** Lets the browser keep the token of a session, or forget it. */
  keepSession(session: { token: string; seconds: number } | undefined): void;
  /** Runs before a write or statement, in its transaction if it has one, unless its answer is a repeated one. May throw. */
  beforeWrite?(db: Db): Promise<void>;
  idempotencyKey: string | undefined;
  clientSignal(): AbortSignal;
  /** Gives the turn to the next request, because the work continues outside of this process. */
  releaseTurn(): void;
}

export interface EndpointResponse extends StoredResponse {
  replayed?: boolean;
  /** True if the answer comes with a cookie, which no stored answer contains. */
  setsCookie?: boolean;
}

/**
 * Attempts of a write that ends with a deadlock or a number that is taken. Random numbers are drawn from a wider range
 * with each attempt, so that late attempts hardly collide.
 */
const ATTEMPTS = 6;
/** Replaces a secret in replayed answers; agents show their sealed secrets by the same text. */
const REDACTED = '__redacted__';
const AUTH_CHANNEL = 'redpen_auth';

/** The part of the context that handlers of all kinds get. */
type Base = ReturnType<typeof baseOf>;

const baseOf = (deps: Deps, request: OperationRequest) => ({
  caller: request.caller,
  keyring: deps.keyring,
  userTokens: deps.userTokens,
  settings: deps.settings,
  requestId: request.requestId,
  origin: request.origin,
  releaseTurn: request.releaseTurn,
  client: { address: request.clientIp, userAgent: request.userAgent },
  auditSource: auditSourceOf(request),
  body: request.body,
});

/** Runs an endpoint's handler in the context of its kind and wraps its result in the envelope. */
export async function runEndpoint(
  deps: Deps,
  authenticator: Authenticator,
  request: OperationRequest,
): Promise<EndpointResponse> {
  const { endpoint } = request;
  const base = baseOf(deps, request);

  if (endpoint.kind === 'read') {
    const auditing = { ...request, auditSource: base.auditSource };
    const handle = (db: Db): Promise<unknown> =>
      endpoint.handle(request.data, { ...base, db, clientSignal: request.clientSignal });
    const { replicas } = deps.database;
    const work = () =>
      replicas !== undefined && mayUseReplica(endpoint, deps.settings)
        ? replicas.read(handle)
        : handle(deps.db);
    return await envelopRead(request, await audited(deps.db, auditing, work));
  }
  if (endpoint.kind === 'statement') return await runStatement(deps, request, base);
  if (endpoint.kind === 'write') return await runWrite(deps, authenticator, request, base);

  const work = async () =>
    envelop(
      request,
      await endpoint.handle(request.data, {
        ...base,
        db: deps.db,
        jobs: deps.jobs,
        outside: { ...deps.outside, models: releasingTurn(deps.outside.models, request.releaseTurn) },
        editors: deps.editors,
        webhookSlots: deps.webhookSlots,
        scorer: deps.scorer,
        transaction: <T>(inside: (tx: Tx) => Promise<T>) => deps.db.transaction().execute(inside),
      }),
    );
  return request.idempotencyKey === undefined ? await work() : await runCallOnce(deps, request, work);
}

/** Short reads are answered faster by the primary, which must be asked for its position anyway. */
const mayUseReplica = (endpoint: Endpoint, { replicaReads }: Pick<Settings, 'replicaReads'>): boolean =>
  replicaReads === 'all' || endpoint.page !== undefined || endpoint.isHeavy === true;

/** Models that release the caller's turn: they take seconds and use nothing of this process meanwhile. */
const releasingTurn = (models: Models, releaseTurn: () => void): Models => ({
  ...models,
  ask(request) {
    releaseTurn();
    return models.ask(request);
  },
});

type Work = (tx: Transaction<Tables>) => Promise<EndpointResponse>;

/** Runs work and stores its response under the request's idempotency key, if any, in one transaction. */
async function runOnce(
  deps: Deps,
  request: OperationRequest,
  tx: Transaction<Tables>,
  work: Work,
): Promise<EndpointResponse> {
  const claim = claimOf(request);
  if (!claim) return await work(tx);
  const outcome = await claimIdempotencyKey(tx, deps.keyring, claim);
  if (!outcome.claimed) return replay(outcome, claim.requestHash);
  const response = await work(tx);
  // A replay would say that the person is signed in, without the cookie: a repeated request is a new attempt.
  if (response.setsCookie) {
    await releaseIdempotencyKey(tx, claim);
    return response;
  }
  await storeResponse(tx, deps.keyring, claim, withoutSecrets(response, request.endpoint.onceOnly));
  return response;
}

/** The response of a public operation without the secrets that a replay must not reveal. */
function withoutSecrets(response: StoredResponse, names: readonly string[] = []): StoredResponse {
  if (names.length === 0) return response;
  const text = JSON.stringify(response.body, (key, value) => (names.includes(key) ? REDACTED : value));
  return { ...response, body: JSON.parse(text) as unknown };
}

/** The response for a failure whose writes are committed. Rethrows other failures. */
function partialResponse(error: unknown): EndpointResponse {
  if (error instanceof ApiError && error.commits) {
    return { statusCode: httpStatus[error.status], body: failure(error) };
  }
  throw error;
}

async function runStatement(deps: Deps, request: OperationRequest, base: Base): Promise<EndpointResponse> {
  const { endpoint, idempotencyKey } = request;
  const auditing = { ...request, auditSource: base.auditSource };
  if (idempotencyKey === undefined) await request.beforeWrite?.(deps.db);
  for (let attempt = 0; ; attempt++) {
    const work = async (db: Db): Promise<EndpointResponse> => {
      const context = { ...base, db, attempt };
      const value = await audited(db, auditing, async () => {
        const { statement, result } = (await endpoint.handle(request.data, context)) as OneStatement<
          unknown,
          unknown
        >;
        return await result(await statement.run(db));
      });
      return envelop(request, value);
    };
    try {
      if (idempotencyKey === undefined && isAudited(endpoint, request.data)) {
        return await deps.db.transaction().execute((tx) => work(tx).catch(partialResponse));
      }
      return idempotencyKey === undefined
        ? await work(deps.db)
        : await deps.db.transaction().execute((tx) =>
            runOnce(deps, request, tx, async (inside) => {
              await request.beforeWrite?.(inside);
              return await work(inside).catch(partialResponse);
            }),
          );
    } catch (error) {
      if (attempt + 1 >= ATTEMPTS || !(isUniqueViolation(error) || isTransient(error))) throw error;
    }
  }
}

async function runWrite(
  deps: Deps,
  authenticator: Authenticator,
  request: OperationRequest,
  base: Base,
): Promise<EndpointResponse> {
  const { endpoint } = request;
  const auditing = { ...request, auditSource: base.auditSource };
  const revoked = new Set<string>();
  let afterCommit: ((log: Logger) => void)[] = [];
  let refusal: unknown;
  const inTransaction: Work = async (tx) => {
    revoked.clear();
    afterCommit = [];
    refusal = undefined;
    let setsCookie = false;
    const context = {
      ...base,
      tx,
      jobs: deps.jobs,
      revoke: (id: string) => revoked.add(id),
      keepSession(session: { token: string; seconds: number } | undefined) {
        setsCookie = true;
        afterCommit.push(() => request.keepSession(session));
      },
      afterCommit: (work: (log: Logger) => void) => afterCommit.push(work),
    };
    const response = await runOnce(deps, request, tx, async () => {
      await request.beforeWrite?.(tx);
      return await audited(tx, auditing, () => endpoint.handle(request.data, context)).then(
        (value) => ({ ...envelop(request, value), setsCookie }),
        (error: unknown) => {
          refusal = error;
          return partialResponse(error);
        },
      );
    });
    await notifyRevocations(tx, revoked);
    return response;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await deps.db.transaction().execute(inTransaction);
      for (const id of revoked) authenticator.forget(id);
      for (const work of afterCommit) work(deps.log);
      if (refusal !== undefined) noteRefusal(deps, auditing, refusal);
      return response;
    } catch (error) {
      if (attempt < ATTEMPTS && isTransient(error)) continue;
      noteRefusal(deps, auditing, error);
      throw error;
    }
  }
}

/** Drops cached credentials of these keys and workspaces in every process once the transaction commits. */
export async function notifyRevocations(tx: Tx, ids: Iterable<string>): Promise<void> {
  for (const id of ids) await sql`select pg_notify(${AUTH_CHANNEL}, ${id})`.execute(tx);
}

/** Applies revocations of other processes to an authenticator. */
export const listenForRevocations = (
  deps: Deps,
  authenticator: Authenticator,
): Promise<() => Promise<void>> =>
  deps.database.listen(AUTH_CHANNEL, authenticator.forget, authenticator.forgetAll);

/** A call runs outside of a transaction, so the claim is committed before it and the response after it. */
async function runCallOnce(
  deps: Deps,
  request: OperationRequest,
  work: () => Promise<EndpointResponse>,
): Promise<EndpointResponse> {
  const claim = claimOf(request)!;
  const outcome = await claimIdempotencyKey(deps.db, deps.keyring, claim);
  if (!outcome.claimed) return replay(outcome, claim.requestHash);
  try {
    const response = await work();
    await storeResponse(deps.db, deps.keyring, claim, response);
    return response;
  } catch (error) {
    await releaseIdempotencyKey(deps.db, claim);
    throw error;
  }
}

function claimOf({ endpoint, idempotencyKey, caller, clientIp, path, data, body }: OperationRequest) {
  if (idempotencyKey === undefined) return undefined;
  return {
    caller: claimantOf(caller, clientIp),
    idempotencyKey,
    requestHash: sha256(JSON.stringify([path, leavesContentOf(endpoint, body) ? sha256(body) : data])),
  };
}

function claimantOf(caller: KnownCaller | undefined, clientIp: string): string {
  const { user, member, session, apiKeyId, workspaceId } = caller ?? {};
  const accountId = member?.accountId ?? session?.accountId;
  if (accountId !== undefined) return JSON.stringify(['account', accountId, apiKeyId ?? workspaceId]);
  if (user) return JSON.stringify([apiKeyId, user.userId]);
  return apiKeyId ?? workspaceId ?? `ip ${clientIp}`;
}

function replay(
  stored: { requestHash: string; response: StoredResponse | null },
  requestHash: string,
): EndpointResponse {
  if (stored.requestHash !== requestHash) {
    throw invalidArgument('This idempotency-key was used with another request.');
  }
  if (!stored.response) {
    throw new ApiError('ABORTED', 'A request with this idempotency-key is still at work.', {
      retryAfterSeconds: 1,
    });
  }
  return { ...stored.response, replayed: true };
}

/** Shorter lists are parsed in a few milliseconds. */
const LONG_LIST = 100;

const isArray = (schema: unknown): schema is z.ZodArray => schema instanceof z.ZodArray;

/** The envelope of a read. Long lists are parsed in slices of the event loop. */
async function envelopRead(request: OperationRequest, value: unknown): Promise<EndpointResponse> {
  const { result, page } = request.endpoint;
  const list = page ? (value as { data: unknown }).data : value;
  const schema = result instanceof z.ZodUnion ? result.options.find(isArray) : result;
  if (!isArray(schema) || !Array.isArray(list) || list.length <= LONG_LIST) return envelop(request, value);
  const element = schema.element as z.ZodType;
  return envelop(request, value, await mapInSlices(list, (item) => element.parse(item)));
}

function envelop(
  { endpoint, data: sent, warnings }: OperationRequest,
  value: unknown,
  shaped?: unknown,
): EndpointResponse {
  const paged = endpoint.page
    ? (value as { data: unknown; next: string | undefined; beside?: object })
    : undefined;
  const data = shaped ?? endpoint.result.parse(paged ? paged.data : value);
  if (endpoint.envelope === 'raw') return { statusCode: 200, body: withWarnings(data, warnings) };
  if (endpoint.envelope === 'bare') {
    // A list, a text or null has no room for warnings, so that they are next to it.
    const body = isObject(data) ? { result: withWarnings(data, warnings) } : { result: data, ...warnings };
    return { statusCode: 200, body };
  }
  const message = typeof endpoint.message === 'string' ? endpoint.message : endpoint.message(data, sent);
  return {
    statusCode: 200,
    body: {
      result: {
        status: 'success',
        message,
        ...(endpoint.shapeOf && { shape: endpoint.shapeOf(data, sent) }),
        ...(endpoint.envelope !== 'status' && data !== undefined && { data }),
        ...endpoint.beside?.parse(paged?.beside),
        ...(paged?.next !== undefined && { [endpoint.page!]: paged.next }),
        ...warnings,
      },
    },
  };
}

const withWarnings = (data: unknown, warnings: Warnings | undefined): unknown =>
  warnings && isObject(data) ? { ...data, ...warnings } : data;
