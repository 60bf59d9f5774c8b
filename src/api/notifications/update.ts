import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { updateAsKey, updateAsUser } from '../../notifications/update-notifications.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { locationId, notificationUpdate } from '../../shapes/notification.ts';

export default write({
  path: ['/v2/notifications/update', '/v1/notifications/update'],
  auth: 'apiKeyOrUser',
  summary: 'Change notifications, or who has read them.',
  description:
    'A user token changes only whether that user has read a notification: `readByUserIds` names the user, or is empty for unread.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional().describe('Only of this document.'),
      locationId: locationId.optional().describe('Only at this location.'),
      userId: userId.optional().describe('Only those that name this user.'),
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Whether to leave out users in `notifyUsers` who have no access.'),
      notifications: z.array(notificationUpdate).min(1).max(MAX_BATCH),
    })
    .meta({
      examples: [
        { organizationId: 'acme', notifications: [{ id: 'review-of-prices', readByUserIds: ['bob'] }] },
      ],
    }),
  result: z
    .record(z.string(), z.object({ success: z.boolean(), message: z.string() }))
    .describe('By notification id.'),
  message: 'Notification(s) updated successfully.',
  failures: { PERMISSION_DENIED: 'A user changes more than what they have read, or may only view.' },

  async handle(data, { tx, caller }) {
    const updated = caller.user
      ? await updateAsUser(tx, caller, caller.user, data)
      : await updateAsKey(tx, caller, data);
    return Object.fromEntries(
      data.notifications.map(({ id }) => [
        id,
        updated.has(id)
          ? { success: true, message: 'Notification updated.' }
          : { success: false, message: 'Failed to update notification.' },
      ]),
    );
  },
});
