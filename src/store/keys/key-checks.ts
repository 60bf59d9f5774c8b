import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowOf } from '../../db/sql-fragments.ts';
import type { PlatformTables } from '../../db/tables/platform-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { ChangingKeyring, Keyring } from '../../lib/crypto.ts';
import { failedPrecondition } from '../../lib/errors.ts';

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
 * Until then, it stays the one before. `wantedNow` is called once all keys have been looked for, because the search for a
 * missing one may read a source again that has a further key by now. `self` is entered as a running process.
 */
export async function agreeOnKey(
  db: Db,
  keyring: ChangingKeyring,
  wantedNow: () => string,
  self?: HolderIdentity,
): Promise<AgreedKey> {
  const agreed = await db.transaction().execute(async (tx) => {
    // Otherwise a process could start with the earlier key alone while another one adopts the next.
    await sql`select pg_advisory_xact_lock(hashtextextended('master keys', 0))`.execute(tx);
    const checks = await tx.selectFrom('keyChecks').selectAll().orderBy('adoptedAt', 'desc').execute();
    for (const { sealed, keyId } of checks) requireKey(keyring, sealed, keyId);
    const wanted = wantedNow();
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
  await agreeOnKey(db, keyring, () => keyring.keyIds[0]!);
}

const lockRow = z.object({ isMine: z.boolean() });

/**
 * Runs a rotation of keys of a kind, one at a time for all processes. The lock is that of a transaction, which a pooler of
 * connections keeps as well. `requireLock` throws if the lock was lost with its connection. Throws FAILED_PRECONDITION while
 * another rotation of the kind goes on.
 */
export async function underRotationLock<T>(
  db: Db,
  kind: 'the master key' | 'tokens and secrets',
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    // It is idle for as long as the rotation takes. The second setting exists from PostgreSQL 17 on.
    await sql`select set_config(name, '0', true) from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(tx);
    const { isMine } = await rowOf(
      tx,
      lockRow,
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`rotation of ${kind}`}, 0)) as "isMine"`,
    );
    if (!isMine) throw failedPrecondition(`Another rotation of ${kind} is going on: wait for it, or end it.`);
    return await work(async () => {
      await sql`select 1`.execute(tx);
    });
  });
}
