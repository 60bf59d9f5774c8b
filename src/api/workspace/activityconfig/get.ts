import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { activityConfig } from '../../../shapes/activity.ts';
import { getActivityConfig } from '../../../store/notifications/activity-config.ts';

export default read({
  path: '/v2/workspace/activityconfig/get',
  auth: 'apiKey',
  summary: 'Get the activity log settings.',
  description: 'The log is off until it is enabled; activities/add is refused until then.',
  data: z.object({}),
  result: z.object({ activityServiceConfig: activityConfig }),
  message: 'Activity logs configuration retrieved successfully.',

  async handle(_, { db, caller }) {
    return { activityServiceConfig: await getActivityConfig(db, caller) };
  },
});
