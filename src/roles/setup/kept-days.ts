import type { Config } from '../../config.ts';
import type { KeptDays, RetentionKind } from '../../store/retention/retention.ts';

/** The setting of each kind of data that is removed by age. */
export const SETTING_OF_KIND = {
  runs: 'REDPEN_KEEP_RUNS',
  screenshots: 'REDPEN_KEEP_SCREENSHOTS',
  run_logs: 'REDPEN_KEEP_RUN_LOGS',
  notifications: 'REDPEN_KEEP_NOTIFICATIONS',
  activities: 'REDPEN_KEEP_ACTIVITIES',
  events: 'REDPEN_KEEP_EVENTS',
  deliveries: 'REDPEN_KEEP_DELIVERIES',
} as const satisfies Record<RetentionKind, keyof Config>;

export const keptDaysOf = (config: Config): KeptDays => ({
  runs: config.REDPEN_KEEP_RUNS,
  screenshots: config.REDPEN_KEEP_SCREENSHOTS,
  run_logs: config.REDPEN_KEEP_RUN_LOGS,
  notifications: config.REDPEN_KEEP_NOTIFICATIONS,
  activities: config.REDPEN_KEEP_ACTIVITIES,
  events: config.REDPEN_KEEP_EVENTS,
  deliveries: config.REDPEN_KEEP_DELIVERIES,
});
