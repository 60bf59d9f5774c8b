import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';

const PROBE = 'redpen';

/**
 * Checks that all master keys are configured that secrets in this database are sealed with: each has left a sealed
 * probe. Throws if one is missing, so that the service does not start without access to some of its secrets.
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
    .values({ keyId, sealed: keyring.seal(PROBE, ['key_checks', keyId]), createdAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
