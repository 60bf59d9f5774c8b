import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isTaken, isTransient } from '../../db/faults.ts';
import type { Db, Tables, Tx } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../lib/crypto.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
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
import type { Authenticator, Known } from '../request/authenticate.ts';
import { leavesContentOf } from '../request/parse.ts';

export interface Asked {
  endpoint: Endpoint;
  path: string;
  data: unknown;
  body: Uint8Array;
  caller: Known | undefined;
  requestId: string;
  clientIp: string;
  /** The address at which the caller reaches the service, such as `https://redpen.example.com`. */
  origin(): string;
  idempotencyKey: string | undefined;
  untilGone(): AbortSignal;
  /** Gives the turn to the next, where the work goes on outside of this process. */
  letGo(): void;
}

export interface Answer extends StoredResponse {
  replayed?: boolean;
}

const TRIES = 3;
/** Random numbers are drawn from a wider range with each attempt, so that the last ones meet none that is taken. */
const STATEMENT_ATTEMPTS = 6;
/** As secrets of agents read. */
const REDACTED = '__redacted__';
const AUTH_CHANNEL = 'redpen_auth';

/** Runs an endpoint's handler in what its kind promises and wraps what it returns. */
export async function answer(deps: Deps, authenticator: Authenticator, asked: Asked): Promise<Answer> {
  const { endpoint } = asked;
  const base = {
    caller: asked.caller,
    keyring: deps.keyring,
    userTokens: deps.userTokens,
    settings: deps.settings,
    requestId: asked.requestId,
    origin: asked.origin,
    letGo: asked.letGo,
    body: asked.body,
  };

  if (endpoint.kind === 'read') {
    return await envelopRead(
      asked,
      await endpoint.handle(asked.data, { ...base, db: deps.db, untilGone: asked.untilGone }),
    );
  }
  if (endpoint.kind === 'statement') return await answerStatement(deps, asked, base);
  if (endpoint.kind === 'write') return await answerWrite(deps, authenticator, asked, base);

  const work = async () =>
    envelop(
      asked,
      await endpoint.handle(asked.data, {
        ...base,
        db: deps.db,
        jobs: deps.jobs,
        outside: { ...deps.outside, models: askingWithoutTurn(deps.outside.models, asked.letGo) },
        editors: deps.editors,
        webhookSlots: deps.webhookSlots,
        scorer: deps.scorer,
        transaction: <T>(inside: (tx: Tx) => Promise<T>) => deps.db.transaction().execute(inside),
      }),
    );
  return asked.idempotencyKey === undefined ? await work() : await answerCallOnce(deps, asked, work);
}

/** Models take seconds to answer, and nothing of this process meanwhile. */
const askingWithoutTurn = (models: Models, letGo: () => void): Models => ({
  ...models,
  ask(request) {
    letGo();
    return models.ask(request);
  },
});

type Work = (tx: Transaction<Tables>) => Promise<Answer>;

/** Runs work and keeps its answer under the request's idempotency key, where it has one, in one transaction. */
async function answerOnce(deps: Deps, asked: Asked, tx: Transaction<Tables>, work: Work): Promise<Answer> {
  const claim = claimOf(asked);
  if (!claim) return await work(tx);
  const outcome = await claimIdempotencyKey(tx, deps.keyring, claim);
  if (!outcome.claimed) return replay(outcome, claim.requestHash);
  const response = await work(tx);
  await storeResponse(tx, deps.keyring, claim, withoutSecrets(response, asked.endpoint.onceOnly));
  return response;
}

/** An answer as it may be repeated to a caller who has shown no credentials. */
function withoutSecrets(response: StoredResponse, names: readonly string[] = []): StoredResponse {
  if (names.length === 0) return response;
  const text = JSON.stringify(response.body, (key, value) => (names.includes(key) ? REDACTED : value));
  return { ...response, body: JSON.parse(text) as unknown };
}

/** What a failure that keeps what was written answers; other failures are thrown on. */
function partialAnswer(error: unknown): Answer {
  if (error instanceof ApiError && error.commits) {
    return { statusCode: httpStatus[error.status], body: failure(error) };
  }
  throw error;
}

async function answerStatement(deps: Deps, asked: Asked, base: object): Promise<Answer> {
  const { endpoint } = asked;
  for (let attempt = 0; ; attempt++) {
    const work = async (db: Db): Promise<Answer> => {
      const context = { ...base, db, attempt };
      const { statement, result } = (await endpoint.handle(asked.data, context)) as OneStatement<
        unknown,
        unknown
      >;
      return envelop(asked, await result(await statement.run(db)));
    };
    try {
      return asked.idempotencyKey === undefined
        ? await work(deps.db)
        : await deps.db
            .transaction()
            .execute((tx) => answerOnce(deps, asked, tx, (inside) => work(inside).catch(partialAnswer)));
    } catch (error) {
      if (attempt + 1 >= STATEMENT_ATTEMPTS || !(isTaken(error) || isTransient(error))) throw error;
    }
  }
}

async function answerWrite(
  deps: Deps,
  authenticator: Authenticator,
  asked: Asked,
  base: object,
): Promise<Answer> {
  const { endpoint } = asked;
  const revoked = new Set<string>();
  let afterwards: ((log: Logger) => void)[] = [];
  const inTransaction: Work = async (tx) => {
    revoked.clear();
    afterwards = [];
    const context = {
      ...base,
      tx,
      jobs: deps.jobs,
      revoke: (id: string) => revoked.add(id),
      afterCommit: (work: (log: Logger) => void) => afterwards.push(work),
    };
    const response = await answerOnce(deps, asked, tx, () =>
      endpoint.handle(asked.data, context).then((value) => envelop(asked, value), partialAnswer),
    );
    await tellOfRevocations(tx, revoked);
    return response;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await deps.db.transaction().execute(inTransaction);
      for (const id of revoked) authenticator.forget(id);
      for (const work of afterwards) work(deps.log);
      return response;
    } catch (error) {
      if (attempt === TRIES || !isTransient(error)) throw error;
    }
  }
}

/** Makes every process forget what it knows of these keys and workspaces, once the transaction commits. */
export async function tellOfRevocations(tx: Tx, ids: Iterable<string>): Promise<void> {
  for (const id of ids) await sql`select pg_notify(${AUTH_CHANNEL}, ${id})`.execute(tx);
}

/** Keeps an authenticator up to date with what other processes revoke. */
export const listenForRevocations = (
  deps: Deps,
  authenticator: Authenticator,
): Promise<() => Promise<void>> =>
  deps.database.listen(AUTH_CHANNEL, authenticator.forget, authenticator.forgetAll);

/** A call works outside of a transaction, so the claim is committed before it and the answer after it. */
async function answerCallOnce(deps: Deps, asked: Asked, work: () => Promise<Answer>): Promise<Answer> {
  const claim = claimOf(asked)!;
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

function claimOf({ endpoint, idempotencyKey, caller, clientIp, path, data, body }: Asked) {
  if (idempotencyKey === undefined) return undefined;
  return {
    caller: claimantOf(caller, clientIp),
    idempotencyKey,
    requestHash: sha256(JSON.stringify([path, leavesContentOf(endpoint, body) ? sha256(body) : data])),
  };
}

function claimantOf(caller: Known | undefined, clientIp: string): string {
  const { user, apiKeyId, workspaceId } = caller ?? {};
  if (user) return JSON.stringify([apiKeyId, user.userId]);
  return apiKeyId ?? workspaceId ?? `ip ${clientIp}`;
}

function replay(
  stored: { requestHash: string; response: StoredResponse | null },
  requestHash: string,
): Answer {
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

/** A list that is shorter takes a few milliseconds. */
const LONG_LIST = 100;

const isArray = (schema: unknown): schema is z.ZodArray => schema instanceof z.ZodArray;

/** What a read found, where it is a long list shaped in slices. */
async function envelopRead(asked: Asked, value: unknown): Promise<Answer> {
  const { result, page } = asked.endpoint;
  const list = page ? (value as { data: unknown }).data : value;
  const schema = result instanceof z.ZodUnion ? result.options.find(isArray) : result;
  if (!isArray(schema) || !Array.isArray(list) || list.length <= LONG_LIST) return envelop(asked, value);
  const element = schema.element as z.ZodType;
  return envelop(asked, value, await mapInSlices(list, (item) => element.parse(item)));
}

function envelop({ endpoint, data: sent }: Asked, value: unknown, shaped?: unknown): Answer {
  const paged = endpoint.page ? (value as { data: unknown; next: string | undefined }) : undefined;
  const data = shaped ?? endpoint.result.parse(paged ? paged.data : value);
  if (endpoint.envelope === 'raw') return { statusCode: 200, body: data };
  if (endpoint.envelope === 'bare') return { statusCode: 200, body: { result: data } };
  const message = typeof endpoint.message === 'string' ? endpoint.message : endpoint.message(data, sent);
  return {
    statusCode: 200,
    body: {
      result: {
        status: 'success',
        message,
        ...(endpoint.envelope !== 'status' && data !== undefined && { data }),
        ...(paged?.next !== undefined && { [endpoint.page!]: paged.next }),
      },
    },
  };
}
