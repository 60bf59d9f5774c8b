import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { rowOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { type ChangingKeyring, keyIdOf } from '../../lib/crypto.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { agreeOnKey, listHolders, listKeyChecks, underRotationLock } from '../../store/keys/key-checks.ts';
import { forgetEarlierKeys } from '../../store/keys/key-rotation.ts';
import { openKeysOfCommand } from '../setup/hold-keys.ts';
import { type KeySource, keyPathOf, replaceKeys, requireKeySource, storeBeside } from '../setup/keyring.ts';
import { resealAll } from '../setup/reseal-all.ts';
import { recordForService } from '../setup/run-operation.ts';
import type { CommandDeps } from '../terminal/outcome.ts';

/** Processes look for changed keys every 5 seconds, and one that has died is waited for during 30. */
const AGREE_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 500;
/** A value that was sealed before the change of keys is stored within this time. */
const SETTLE_MS = 5_000;

interface Rotation {
  /** Makes a key first, if the keys are in a file that can be written. */
  isNew: boolean;
  onProgress(line: string): void;
  /** Longest wait for the processes of the service. */
  withinMs?: number;
}

/**
 * Seals every stored secret with the current master key, and forgets the earlier ones. With `isNew`, makes the key before,
 * and at the end moves the earlier ones out of the file, into another one beside it. Can be interrupted at any point and run
 * again: until the end, file and database have both keys. Throws FAILED_PRECONDITION while another rotation goes on.
 */
export const rotateKeys = (deps: Pick<CommandDeps, 'db' | 'config'>, rotation: Rotation): Promise<string> =>
  underRotationLock(deps.db, 'the master key', (requireLock) => rotateUnderLock(deps, rotation, requireLock));

async function rotateUnderLock(
  { db, config }: Pick<CommandDeps, 'db' | 'config'>,
  { isNew, onProgress, withinMs = AGREE_WITHIN_MS }: Rotation,
  requireLock: () => Promise<void>,
): Promise<string> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const source = requireKeySource(config, dataDir);
  if (isNew) await addKey(db, source, onProgress);
  const keys = await source.read();
  const keyring = await openKeysOfCommand(db, { ...source, read: async () => keys });
  const wanted = keyring.keyIds[0]!;
  await waitForAgreement(db, keyring, { onProgress, withinMs });
  const counts = await resealAll(db, keyring);
  const forgotten = await forgetEarlierKeys(db, keyring);
  await recordForService(db, 'redpen keys rotate', { action: 'master_key.rotated', id: wanted });
  await requireLock();
  const sealed = [
    `Sealed with the master key ${wanted}:`,
    ...[...counts].map(([name, count]) => `  ${count} ${name}`),
  ];
  return [
    ...sealed,
    ...(isNew ? describeFile(source, keys[0]!) : [describeEarlier(forgotten, source, dataDir)]),
    '',
  ].join('\n');
}

/** Leaves one key in the file, and says where the others are. */
function describeFile({ name, path, readAgain }: KeySource, key: Buffer): string[] {
  const stored = keepOnly(path!, readOrNone(readAgain!), key);
  return [
    `${name} has this key alone now. Keep a copy of it.`,
    ...(stored === undefined
      ? []
      : [`The earlier key is in ${stored}. Backups from before need it: store it apart and remove it here.`]),
  ];
}

/** The keys of a file, none if it cannot be read or has none. */
function readOrNone(read: () => Buffer[]): Buffer[] {
  try {
    return read();
  } catch {
    return [];
  }
}

const describeEarlier = (forgotten: number, source: KeySource, dataDir: string): string =>
  forgotten > 0
    ? `${forgotten} earlier master keys are not needed any more; take them out of ${placeOfEarlier(source, dataDir)}. Backups from before need them: store them apart.`
    : 'No earlier master key was in use.';

const placeOfEarlier = (source: KeySource, dataDir: string): string =>
  source.name === 'REDPEN_MASTER_KEY' || source.path === keyPathOf(dataDir)
    ? 'REDPEN_MASTER_KEY_PREVIOUS'
    : source.path !== undefined
      ? source.path
      : 'what the command prints';

/** Puts a new key before the others in the file of the keys, unless an interrupted rotation has left one. */
async function addKey(db: Db, source: KeySource, onProgress: (line: string) => void): Promise<void> {
  if (source.path === undefined)
    throw failedPrecondition(
      `--new makes a key in a file, and the master key comes from ${source.name}. Make one with: openssl rand -base64 32. ${STEPS[source.name] ?? ''}`,
    );
  const keys = await source.read();
  const ids = keys.map(keyIdOf);
  const inUse = new Set((await listKeyChecks(db)).map(({ keyId }) => keyId));
  if (inUse.size > 1 || (ids.length > 1 && !inUse.has(ids[0]!))) {
    onProgress(`Continuing the rotation to the master key ${ids[0]}, which has not ended.`);
    return;
  }
  const key = randomBytes(32);
  try {
    replaceKeys(source.path, [key, ...keys]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failedPrecondition(
      `${source.path} cannot be written (${code}): put a new key (openssl rand -base64 32) into its first line where the file comes from, keep the present one in the second, and run redpen keys rotate.`,
    );
  }
  onProgress(`Made the master key ${keyIdOf(key)} in ${source.path}.`);
}

const STEPS: Record<string, string> = {
  REDPEN_MASTER_KEY:
    'Set REDPEN_MASTER_KEY to it and REDPEN_MASTER_KEY_PREVIOUS to the present one, restart every process, and run redpen keys rotate.',
  REDPEN_MASTER_KEY_COMMAND:
    'Let the command print it in the first line and the present one in the second, restart every process, and run redpen keys rotate.',
};

/**
 * Leaves one key in the file, once the others are in a file of their own, of which it returns the path. Throws, and does not
 * change the file, if the key is not in it.
 */
function keepOnly(path: string, keys: Buffer[], key: Buffer): string | undefined {
  const keyId = keyIdOf(key);
  const byId = new Map(keys.map((each) => [keyIdOf(each), each]));
  // Otherwise the key, with which everything is sealed, would be nowhere.
  if (!byId.delete(keyId))
    throw failedPrecondition(
      `Something else has written or removed ${path}, and the master key ${keyId}, with which everything is sealed, is not in it any more. It is in ${storeBeside(path, `.sealing-${keyId}`, [key])}: put it into the first line of ${path} before any process restarts.`,
    );
  const [earlierId] = byId.keys();
  if (earlierId === undefined) return undefined;
  const stored = storeBeside(path, `.earlier-${earlierId}`, [...byId.values()]);
  replaceKeys(path, [key]);
  return stored;
}

/**
 * Waits until every process of the service seals with the wanted key, and until what was sealed before is stored. Throws
 * FAILED_PRECONDITION with the processes that do not have it.
 */
async function waitForAgreement(
  db: Db,
  keyring: ChangingKeyring,
  { onProgress, withinMs }: Required<Omit<Rotation, 'isNew'>>,
): Promise<void> {
  const wanted = keyring.keyIds[0]!;
  const end = Date.now() + withinMs;
  let hasWaited = false;
  for (;;) {
    const { keyId, waitingFor } = await agreeOnKey(db, keyring, () => wanted);
    const holders = await listHolders(db);
    const late = holders.filter(({ sealing }) => sealing !== wanted);
    if (keyId === wanted && late.length === 0) {
      if (hasWaited || (holders.length > 0 && (await listKeyChecks(db)).length > 1)) await settle(db);
      return;
    }
    if (!hasWaited) onProgress('Waiting until every process of the service seals with the new key.');
    hasWaited = true;
    if (Date.now() > end) {
      const places = (waitingFor.length > 0 ? waitingFor : late).map(({ place }) => place);
      throw failedPrecondition(
        `These processes do not have the master key ${wanted} as their first one: ${places.join(', ')}. Give it to them, restart them, and run the command again; nothing is lost.`,
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

const snapshotRow = z.object({ oldest: z.string(), next: z.string() });

/** Transactions of the moment, as numbers: the oldest that has not ended, and the next one to begin. */
const snapshot = (db: Db) =>
  rowOf(
    db,
    snapshotRow,
    sql`select cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as oldest,
      cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as next`,
  );

/** Waits until the work that may have sealed with the earlier key is stored: transactions that run, and what follows. */
async function settle(db: Db): Promise<void> {
  await sleep(SETTLE_MS);
  const { next } = await snapshot(db);
  const end = Date.now() + AGREE_WITHIN_MS;
  while (BigInt((await snapshot(db)).oldest) < BigInt(next)) {
    if (Date.now() > end)
      throw failedPrecondition(
        'A transaction of the database does not end, which may store a secret that is sealed with the earlier key. Run the command again; nothing is lost.',
      );
    await sleep(LOOK_EVERY_MS);
  }
}
