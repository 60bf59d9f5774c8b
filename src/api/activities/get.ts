import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { actionType, activity, activityId, featureType, targetEntityId } from '../../shapes/activity.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { listActivities } from '../../store/notifications/list-activities.ts';

export default read({
  path: '/v2/activities/get',
  auth: 'apiKey',
  summary: 'List the activities of an organization, newest first.',
  description:
    'Conditions are combined; a list has alternatives. Names and email addresses of known users are the current ones.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional().describe('Returns only activities on this document.'),
      targetEntityId: targetEntityId.optional(),
      featureTypes: z.array(featureType).min(1).max(30).optional(),
      actionTypes: z.array(actionType).min(1).max(30).optional(),
      userId: userId.optional().describe('Returns only activities of this user.'),
      activityIds: z.array(activityId).min(1).max(30).optional(),
      order: z.enum(['asc', 'desc']).default('desc').describe('Order by time.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', pageSize: 50 }] }),
  result: z.array(activity),
  message: 'Activity(s) retrieved successfully.',
  page: 'pageToken',

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { order, ...filter } = asked;
    const list = ['activities', caller.apiKeyId, JSON.stringify(asked)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after: position, limit }) => {
        const after = position && { createdAt: Number(position[0]), activityId: String(position[1]) };
        return listActivities(db, caller, filter, { order, after, limit });
      },
      (row) => [row.createdAt, row.activityId],
    );
    return { data: rows.map((row) => row.record), next };
  },
});
