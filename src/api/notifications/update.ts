import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { updateAsKey, updateAsUser } from '../../notifications/update-notifications.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { locationId, notificationUpdate } from '../../shapes/notification.ts';

export default write({
  path: ['/v2/notifications/update', '/v1/notifications/update'],
  auth: 'apiKeyOrUser',
  summary: 'Change notifications, or mark them as read.',
  description:
    "With a user token, only the token's user can be marked: `readByUserIds` contains the user for read, or is empty for unread.",
  data: z
    .object({
      organizationId,
      documentId: documentId.optional().describe('Changes only notifications on this document.'),
      locationId: locationId.optional().describe('Changes only notifications at this location.'),
      userId: userId.optional().describe('Changes only notifications that are addressed to this user.'),
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Skips users in `notifyUsers` who have no access.'),
      notifications: z.array(notificationUpdate).min(1).max(MAX_BATCH),
    })
    .meta({
      examples: [
        { organizationId: 'acme', notifications: [{ id: 'review-of-prices', readByUserIds: ['bob'] }] },
      ],
    }),
  result: z
    .record(z.string(), z.object({ success: z.boolean(), message: z.string() }))
    .describe('Keyed by notification id.'),
  message: 'Notification(s) updated successfully.',
  failures: {
    PERMISSION_DENIED:
      'A user may change only whether they have read a notification, and not with view-only access.',
  },

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
