import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { UserTables } from '../../db/tables/user-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Fields } from '../../lib/json.ts';

export type SigningKeyRow = UserTables['signingKeys'];

export const signingKeyBinding = (keyId: string): string[] => ['signing_keys', keyId];

/** All keys that valid tokens may be signed with, newest first. */
export const listSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom('signingKeys').selectAll().orderBy('createdAt', 'desc').orderBy('keyId').execute();

/** Serializes rotations until the transaction ends. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`.execute(tx);
}

export async function insertSigningKey(
  tx: Db,
  keyring: Keyring,
  key: { keyId: string; publicJwk: Fields; privateJwk: object },
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

/** Retires all keys except one; keys that were retired before keep their time. */
export async function retireSigningKeys(tx: Tx, exceptKeyId: string): Promise<void> {
  await tx
    .updateTable('signingKeys')
    .set({ retiredAt: Date.now() })
    .where('keyId', '<>', exceptKeyId)
    .where('retiredAt', 'is', null)
    .execute();
}

/** Deletes keys that were retired before the given time, in epoch milliseconds. */
export async function pruneSigningKeys(db: Db, before: number): Promise<void> {
  await db.deleteFrom('signingKeys').where('retiredAt', '<', before).execute();
}
