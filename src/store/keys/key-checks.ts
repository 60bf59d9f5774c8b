import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { PlatformTables } from '../../db/tables/platform-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { ChangingKeyring, Keyring } from '../../lib/crypto.ts';

const PROBE = 'redpen';
/** A process that was seen before has ended, or will find the keys again before it seals. */
const SEEN_WITHIN_SECONDS = 30;

export type KeyHolder = PlatformTables['keyHolders'];

/** A process of the service, as other processes know it. */
export interface HolderIdentity {
  processId: string;
  place: string;
}

/** The key with which all processes seal. */
export interface AgreedKey {
  keyId: string;
  /** Processes that do not have the wanted key as their first one, because of which another one still seals. */
  waitingFor: Pick<KeyHolder, 'place' | 'keyIds'>[];
}

const bindingOf = (keyId: string) => ['key_checks', keyId];

/** Processes that run, those with the oldest name first. */
export const listHolders = (db: Db): Promise<KeyHolder[]> =>
  db
    .selectFrom('keyHolders')
    .selectAll()
    .where('seenAt', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${SEEN_WITHIN_SECONDS})`)
    .orderBy('place')
    .orderBy('processId')
    .execute();

export async function removeHolder(db: Db, processId: string): Promise<void> {
  await db.deleteFrom('keyHolders').where('processId', '=', processId).execute();
}

/** Removes every process, of which none can run. */
export async function removeHolders(db: Db): Promise<void> {
  await db.deleteFrom('keyHolders').execute();
}

/**
 * Checks that all master keys are held that secrets in this database are sealed with: each has left a sealed probe. Throws
 * if one is missing, so that the service does not start without access to some of its secrets. Then chooses the key that
 * seals: the wanted one, once every running process has it as its first one, so that each can open what the others seal.
 * Until then, it stays the one before. `self` is entered as a running process.
 */
export async function agreeOnKey(
  db: Db,
  keyring: ChangingKeyring,
  wanted: string,
  self?: HolderIdentity,
): Promise<AgreedKey> {
  const agreed = await db.transaction().execute(async (tx) => {
    // Otherwise a process could start with the earlier key alone while another one adopts the next.
    await sql`select pg_advisory_xact_lock(hashtextextended('master keys', 0))`.execute(tx);
    const checks = await tx.selectFrom('keyChecks').selectAll().orderBy('adoptedAt', 'desc').execute();
    for (const { sealed, keyId } of checks) requireKey(keyring, sealed, keyId);
    const inForce = checks[0]?.keyId;
    const others = (await listHolders(tx)).filter(({ processId }) => processId !== self?.processId);
    const waitingFor = others.filter(({ keyIds }) => keyIds[0] !== wanted);
    const keyId = inForce === undefined || waitingFor.length === 0 ? wanted : inForce;
    if (keyId !== inForce) await adopt(tx, keyring, keyId);
    if (self) await enter(tx, self, [wanted, ...keyring.keyIds.filter((id) => id !== wanted)], keyId);
    return { keyId, waitingFor: keyId === wanted ? [] : waitingFor };
  });
  keyring.sealWith(agreed.keyId);
  return agreed;
}

function requireKey(keyring: Keyring, sealed: string, keyId: string): void {
  try {
    keyring.open(sealed, bindingOf(keyId));
  } catch {
    throw new Error(
      `Secrets in this database were sealed with the master key ${keyId}, which is not configured. Set REDPEN_MASTER_KEY to it, or add it to REDPEN_MASTER_KEY_PREVIOUS, or as a further line to the file or the output of the command that has the key.`,
    );
  }
}

async function adopt(tx: Tx, keyring: ChangingKeyring, keyId: string): Promise<void> {
  const before = keyring.currentKeyId;
  keyring.sealWith(keyId);
  const sealed = keyring.seal(PROBE, bindingOf(keyId));
  keyring.sealWith(before);
  const now = Date.now();
  // Later than every other, whatever the clocks say.
  const adoptedAt = sql<number>`greatest(${now}, (select coalesce(max(adopted_at), 0) + 1 from key_checks))`;
  await tx
    .insertInto('keyChecks')
    .values({ keyId, sealed, createdAt: now, adoptedAt })
    .onConflict((conflict) => conflict.column('keyId').doUpdateSet({ adoptedAt }))
    .execute();
}

async function enter(tx: Tx, self: HolderIdentity, keyIds: string[], sealing: string): Promise<void> {
  const seen = { keyIds: json(keyIds), sealing, seenAt: sql<Date>`clock_timestamp()` };
  await tx
    .insertInto('keyHolders')
    .values({ ...self, ...seen })
    .onConflict((conflict) => conflict.column('processId').doUpdateSet(seen))
    .execute();
  await tx
    .deleteFrom('keyHolders')
    .where('seenAt', '<', sql<Date>`clock_timestamp() - interval '1 hour'`)
    .execute();
}

/** The master keys that have sealed something, the one that seals first. */
export const listKeyChecks = (db: Db) =>
  db
    .selectFrom('keyChecks')
    .select(['keyId', 'createdAt', 'adoptedAt'])
    .orderBy('adoptedAt', 'desc')
    .execute();

/** Checks a keyring for a program that starts: its first key is wanted. */
export async function checkKeyring(db: Db, keyring: ChangingKeyring): Promise<void> {
  await agreeOnKey(db, keyring, keyring.keyIds[0]!);
}
