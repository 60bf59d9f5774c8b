import { json } from '../db/json.ts';
import type { Db, Tx } from '../db/tables.ts';

export interface StoredResponse {
  statusCode: number;
  body: unknown;
}

const KEPT_MS = 24 * 3_600_000;

interface Claim {
  caller: string;
  idempotencyKey: string;
  requestHash: string;
}

/**
 * Claims a key for this request. On conflict with an open transaction it waits for that one to end, so
 * that of two equal requests the second answers what the first did.
 */
export async function claimIdempotencyKey(
  db: Db | Tx,
  { caller, idempotencyKey, requestHash }: Claim,
): Promise<{ claimed: true } | { claimed: false; requestHash: string; response: StoredResponse | null }> {
  const createdAt = Date.now();
  await db
    .deleteFrom('idempotencyKeys')
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('createdAt', '<', createdAt - KEPT_MS)
    .execute();
  const inserted = await db
    .insertInto('idempotencyKeys')
    .values({ caller, idempotencyKey, requestHash, response: null, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return { claimed: true };
  const row = await db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'response'])
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  return { claimed: false, requestHash: row?.requestHash ?? requestHash, response: row?.response ?? null };
}

export async function storeResponse(
  db: Db | Tx,
  { caller, idempotencyKey }: Claim,
  response: StoredResponse,
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ response: json<StoredResponse | null>(response) })
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .execute();
}

/** Frees a key whose request came to nothing. */
export async function releaseIdempotencyKey(db: Db, { caller, idempotencyKey }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('response', 'is', null)
    .execute();
}

export async function pruneIdempotencyKeys(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', now - KEPT_MS)
    .execute();
}
