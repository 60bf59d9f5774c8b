import type { Db } from '../../db/tables.ts';
import type { Binding, Keyring } from '../../lib/crypto.ts';

export interface StoredResponse {
  statusCode: number;
  body: unknown;
}

const RETENTION_MS = 24 * 3_600_000;

export const responseBinding = (caller: string, idempotencyKey: string): Binding => [
  'idempotency_keys',
  caller,
  idempotencyKey,
];

interface Claim {
  caller: string;
  idempotencyKey: string;
  requestHash: string;
}

/**
 * Claims an idempotency key for a request. It waits for an open transaction with the same key, so that the second of
 * two concurrent requests gets the stored response of the first.
 */
export async function claimIdempotencyKey(
  db: Db,
  keyring: Keyring,
  { caller, idempotencyKey, requestHash }: Claim,
): Promise<{ claimed: true } | { claimed: false; requestHash: string; response: StoredResponse | null }> {
  const createdAt = Date.now();
  await db
    .deleteFrom('idempotencyKeys')
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('createdAt', '<', createdAt - RETENTION_MS)
    .execute();
  const inserted = await db
    .insertInto('idempotencyKeys')
    .values({ caller, idempotencyKey, requestHash, responseSealed: null, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return { claimed: true };
  const row = await db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'responseSealed'])
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  const sealed = row?.responseSealed;
  const response = sealed
    ? (JSON.parse(keyring.open(sealed, responseBinding(caller, idempotencyKey))) as StoredResponse)
    : null;
  return { claimed: false, requestHash: row?.requestHash ?? requestHash, response };
}

export async function storeResponse(
  db: Db,
  keyring: Keyring,
  { caller, idempotencyKey }: Claim,
  response: StoredResponse,
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ responseSealed: keyring.seal(JSON.stringify(response), responseBinding(caller, idempotencyKey)) })
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .execute();
}

/** Releases the key of a failed request. */
export async function releaseIdempotencyKey(db: Db, { caller, idempotencyKey }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('caller', '=', caller)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('responseSealed', 'is', null)
    .execute();
}

export async function pruneIdempotencyKeys(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', now - RETENTION_MS)
    .execute();
}
