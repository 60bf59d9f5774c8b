import { wholeNumber } from './setting-rules.ts';

/** Days, of which there must be as many as anything still needs the data. */
const days = (least: number) => wholeNumber(least, 36_500);

/** Settings of how long data is kept. */
export const retentionSettings = {
  REDPEN_KEEP_RUNS: days(1)
    .optional()
    .describe(
      'Days for which runs and reviews are kept after their end, with their pages, findings, logs and files. By default for ever.',
    ),
  REDPEN_KEEP_SCREENSHOTS: days(1)
    .optional()
    .describe(
      'Days for which screenshots and other files of a run are kept after its end. By default for as long as the run.',
    ),
  REDPEN_KEEP_RUN_LOGS: days(1)
    .optional()
    .describe('Days for which the log of a run is kept after its end. By default for as long as the run.'),
  REDPEN_KEEP_NOTIFICATIONS: days(7)
    .optional()
    .describe('Days for which notifications are kept, read or not. By default for ever.'),
  REDPEN_KEEP_ACTIVITIES: days(1)
    .optional()
    .describe('Days for which the activity log is kept. By default for ever.'),
  REDPEN_KEEP_EVENTS: days(2)
    .default(90)
    .describe(
      'Days for which events are kept after their delivery within the service. Clients of live events resume within 24 hours, for which events are always kept.',
    ),
  REDPEN_KEEP_DELIVERIES: days(7)
    .default(90)
    .describe(
      'Days for which webhook messages are kept, with their deliveries, which can be replayed until then.',
    ),
};
