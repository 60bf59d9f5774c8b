import type { Config } from '../../config.ts';
import { openArchiveStore } from '../../outside/storage/archive-store.ts';
import { listBackups, nextBackupAt } from '../backup/backups.ts';
import { asSentence, type Finding, failed, ok, reasonOf, skipped, warning } from './check.ts';

type BackupConfig = Pick<Config, 'REDPEN_BACKUP_URL' | 'REDPEN_BACKUP_SCHEDULE'>;

/** A backup takes its time, and a failed one is repeated. */
const LATE_AFTER_MS = 2 * 3_600_000;
const HOUR_MS = 3_600_000;

const ADVICE =
  'REDPEN_BACKUP_URL must name a folder or bucket that the service may list, read and write, with room for another backup.';

/** Lists the backups and judges the age of the newest one by the schedule. */
export async function checkBackups(config: BackupConfig, now: number): Promise<Finding> {
  if (config.REDPEN_BACKUP_URL === undefined)
    return skipped('REDPEN_BACKUP_URL is not set: the service writes no backups by itself.');
  const store = openArchiveStore(config.REDPEN_BACKUP_URL);
  const backups = await listBackups(store).catch((error: unknown) =>
    failed(asSentence(`${store.place} cannot be listed: ${reasonOf(error)}`), ADVICE),
  );
  if (!Array.isArray(backups)) return backups;
  const [newest] = backups;
  if (newest === undefined)
    return ok(`There is no backup in ${store.place} yet; the service writes one at its start.`);
  const hours = Math.floor((now - newest.createdAt) / HOUR_MS);
  const age = hours === 0 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`;
  const found = `The newest of ${backups.length} backups in ${store.place} is ${age} old and has ${Math.ceil(newest.bytes / 1_000_000)} MB.`;
  return now > nextBackupAt(config.REDPEN_BACKUP_SCHEDULE, newest, now) + LATE_AFTER_MS
    ? warning(
        found,
        'By REDPEN_BACKUP_SCHEDULE there should be a newer one: start the service, or see its log.',
      )
    : ok(found);
}

/** The finding of a scheduled backup that could not be written. */
export const backupFailure = (error: unknown): Finding =>
  failed(asSentence(reasonOf(error)), ADVICE, 'A scheduled backup cannot be written (REDPEN_BACKUP_URL).');
