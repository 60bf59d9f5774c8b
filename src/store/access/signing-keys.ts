import { json } from '../../db/sql-fragments.ts';
import type { UserTables } from '../../db/tables/user-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';

export type SigningKeyRow = UserTables['signingKeys'];

export const signingKeyBinding = (keyId: string): string[] => ['signing_keys', keyId];

/** Every key that a token in circulation may be signed with, the newest first. */
export const listSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom('signingKeys').selectAll().orderBy('createdAt', 'desc').orderBy('keyId').execute();

export async function insertSigningKey(
  tx: Db,
  keyring: Keyring,
  key: { keyId: string; publicJwk: Record<string, unknown>; privateJwk: object },
): Promise<void> {
  await tx
    .insertInto('signingKeys')
    .values({
      keyId: key.keyId,
      publicJwk: json(key.publicJwk),
      privateSealed: keyring.seal(JSON.stringify(key.privateJwk), signingKeyBinding(key.keyId)),
      createdAt: Date.now(),
      retiredAt: null,
    })
    .execute();
}

/** Makes every key but one sign no more, from now on; those that had stopped keep the time they stopped at. */
export async function retireSigningKeys(tx: Tx, exceptKeyId: string): Promise<void> {
  await tx
    .updateTable('signingKeys')
    .set({ retiredAt: Date.now() })
    .where('keyId', '<>', exceptKeyId)
    .where('retiredAt', 'is', null)
    .execute();
}

/** Drops keys that stopped signing before the given time, in epoch milliseconds. */
export async function pruneSigningKeys(db: Db, before: number): Promise<void> {
  await db.deleteFrom('signingKeys').where('retiredAt', '<', before).execute();
}
