import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { locationId, notificationId } from '../../shapes/notification.ts';
import { deleteNotifications } from '../../store/notifications/change-notifications.ts';

const SELECTORS = ['documentId', 'locationId', 'userId', 'notificationIds'] as const;

export default write({
  path: ['/v2/notifications/delete', '/v1/notifications/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete notifications for all users.',
  description: 'All filters that are sent must match.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional(),
      locationId: locationId.optional(),
      userId: userId.optional().describe('Deletes only notifications that are addressed to this user.'),
      notificationIds: z.array(notificationId).min(1).max(MAX_BATCH).optional(),
    })
    .refine((data) => SELECTORS.some((field) => data[field] !== undefined), {
      ...withOtherProblems,
      error: `At least one of ${SELECTORS.join(', ')} is required.`,
    })
    .meta({ examples: [{ organizationId: 'acme', notificationIds: ['review-of-prices'] }] }),
  result: z
    .record(z.string(), z.object({ success: z.boolean(), message: z.string() }))
    .describe('Keyed by notification id: the requested ones, or the deleted ones if none were named.'),
  message: 'Notification(s) deleted successfully.',

  async handle(data, { tx, caller }) {
    const deleted = new Set(await deleteNotifications(tx, caller, data));
    return Object.fromEntries(
      [...(data.notificationIds ?? deleted)].map((id) => [
        id,
        deleted.has(id)
          ? { success: true, message: 'Notification deleted.' }
          : { success: false, message: 'Failed to delete notification.' },
      ]),
    );
  },
});
