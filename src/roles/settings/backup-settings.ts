import { Cron } from 'croner';
import { blobUrl, judged, oneOf, wholeNumber } from './setting-rules.ts';

const cron = judged((text) => {
  // The library also takes points in time, and names such as `@midnight`.
  if (text.trim().split(/\s+/).length !== 5)
    return 'must be a cron expression of five fields, such as 30 2 * * *';
  try {
    const next = new Cron(text, { timezone: 'UTC', mode: '5-part', paused: true }).nextRun();
    return next === null ? 'must name a time in the future' : undefined;
  } catch {
    return 'must be a cron expression of five fields, such as 30 2 * * *';
  }
});

/** Settings of backups that the service writes by itself. */
export const backupSettings = {
  REDPEN_BACKUP_URL: blobUrl
    .optional()
    .describe(
      'Where the service writes backups by itself, and `redpen backup` without a file: file:///folder or s3://bucket/prefix?region=…&endpoint=…. By default it writes none.',
    ),
  REDPEN_BACKUP_SCHEDULE: cron
    .default('30 2 * * *')
    .describe(
      'When it writes them: a cron expression of five fields, in UTC. One that was missed is made up for.',
    ),
  REDPEN_BACKUP_KEEP: wholeNumber(1, 10_000)
    .default(14)
    .describe('Number of backups that are kept there; older ones are removed once a new one is complete.'),
  REDPEN_BACKUP_FILES: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Whether they contain stored files. Off if the store of REDPEN_BLOB_URL is backed up by itself.',
    ),
};
