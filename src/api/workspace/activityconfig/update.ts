import { z } from 'zod';
import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { activityConfig } from '../../../shapes/activity.ts';
import { updateActivityConfig } from '../../../store/notifications/activity-config.ts';

export default write({
  path: '/v2/workspace/activityconfig/update',
  auth: 'apiKey',
  summary: 'Change the activity log settings.',
  description:
    'Fields that are not sent keep their values. When logging is enabled for the first time, all comment events are logged, as immutable activities.',
  data: z
    .object({
      activityServiceConfig: activityConfig.refine((config) => Object.keys(config).length > 0, {
        error: 'At least one field must be provided for update',
      }),
    })
    .meta({ examples: [{ activityServiceConfig: { isEnabled: true, immutable: false } }] }),
  result: z.object({ activityServiceConfig: activityConfig }),
  message: 'Activity logs configuration updated successfully.',
  audit: { action: 'activity.config_changed', before: configOf('activity') },

  async handle({ activityServiceConfig }, { tx, caller }) {
    return { activityServiceConfig: await updateActivityConfig(tx, caller, activityServiceConfig) };
  },
});
