import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { newActivities } from '../../shapes/activity.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { addActivities } from '../../store/notifications/activities.ts';
import { getActivityConfig } from '../../store/notifications/activity-config.ts';

const message = 'Activity(s) added successfully.';

export default write({
  path: '/v2/activities/add',
  auth: 'apiKey',
  summary: 'Add activities to a document.',
  description:
    'An activity with an existing id replaces the earlier one and keeps its time; immutable ones do not change. An activity without an id is always a new one, so send ids if a request may be repeated. Raises `activity.add` for each activity that was written.',
  data: z.object({ organizationId, documentId, activities: newActivities }).meta({
    examples: [
      {
        organizationId: 'acme',
        documentId: 'website',
        activities: [
          {
            id: 'deploy-of-build-7',
            featureType: 'custom',
            actionType: 'deploy',
            actionUser: { userId: 'eve', name: 'Eve' },
            targetEntityId: 'build-7',
            displayMessageTemplate: '{{actionUser}} deployed {{build}}',
            displayMessageTemplateData: { actionUser: 'Eve', build: 'build 7' },
          },
        ],
      },
    ],
  }),
  result: z.object({ success: z.boolean(), message: z.string() }),
  message,
  failures: {
    NOT_FOUND: 'The document does not exist.',
    FAILED_PRECONDITION: 'Activity logs are not enabled.',
  },

  async handle({ activities, ...place }, { tx, caller }) {
    const config = await getActivityConfig(tx, caller);
    if (!config.isEnabled) {
      throw failedPrecondition(
        'Activity logs are not enabled. Enable them via POST /v2/workspace/activityconfig/update with { "activityServiceConfig": { "isEnabled": true } }.',
      );
    }
    await lockDocument(tx, caller, place, { create: false });
    await addActivities(tx, caller, place, activities, { immutable: config.immutable ?? false });
    return { success: true, message };
  },
});
