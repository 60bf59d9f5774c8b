import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';

const WORD = 'redpen';

/**
 * Proves that the master keys fit the data: each key that ever sealed here left a sealed word behind.
 * Throws where a needed key is missing, so that the service does not start half blind.
 */
export async function checkKeyring(db: Db, keyring: Keyring): Promise<void> {
  const rows = await db.selectFrom('keyChecks').selectAll().execute();
  for (const row of rows) {
    try {
      keyring.open(row.sealed, ['key_checks', row.keyId]);
    } catch {
      throw new Error(
        `Secrets in this database were sealed with the master key ${row.keyId}, which is not configured. Set REDPEN_MASTER_KEY to it, or add it to REDPEN_MASTER_KEY_PREVIOUS.`,
      );
    }
  }
  const keyId = keyring.currentKeyId;
  await db
    .insertInto('keyChecks')
    .values({ keyId, sealed: keyring.seal(WORD, ['key_checks', keyId]), createdAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
