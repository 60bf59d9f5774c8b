import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { activityChanges } from '../../shapes/activity.ts';
import { batchResult } from '../../shapes/batch.ts';
import { organizationId } from '../../shapes/id-fields.ts';
import { updateActivities } from '../../store/notifications/activities.ts';

export default write({
  path: '/v2/activities/update',
  auth: 'apiKey',
  summary: 'Change activities that are not immutable.',
  description:
    'Fields that are not sent keep their values. Immutable activities, and those that do not exist, are reported, and all others are changed. Raises `activity.update` for each changed activity.',
  data: z.object({ organizationId, activities: activityChanges }).meta({
    examples: [{ organizationId: 'acme', activities: [{ id: 'deploy-of-build-7', actionIcon: 'rocket' }] }],
  }),
  result: batchResult.describe('Keyed by activity id.'),
  message: 'Activity(s) updated successfully.',

  async handle({ organizationId, activities }, { tx, caller }) {
    const updated = await updateActivities(tx, caller, organizationId, activities);
    return Object.fromEntries(
      activities.map(({ id }) => {
        const success = updated.has(id);
        return [id, { success, id, message: success ? 'Activity updated.' : 'Failed to update activity.' }];
      }),
    );
  },
});
