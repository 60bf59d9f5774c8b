import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { invalidArgument, permissionDenied } from '../../lib/errors.ts';
import { documentId, organizationId, userId } from '../../shapes/id-fields.ts';
import { locationId, notification, notificationId } from '../../shapes/notification.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { loadReader, loadStoredReader } from '../../store/access/visibility-sql.ts';
import { listNotifications } from '../../store/notifications/list-notifications.ts';

export default read({
  path: ['/v2/notifications/get', '/v1/notifications/get'],
  auth: 'apiKeyOrUser',
  summary: 'List notifications, of a document or of a user.',
  description:
    'For a user, returns the inbox, without notifications that the user turned off or may not see. If an API key asks, a user may see every notification that names them as a recipient, other than those of comments. For a document without `userId`, an API key gets the notifications of all users. Reading does not mark as read; notifications/update does.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional(),
      userId: userId
        .optional()
        .describe(
          "Returns only notifications that this user receives. With a user token, always the token's user.",
        ),
      locationId: locationId.optional(),
      notificationIds: z.array(notificationId).min(1).max(30).optional(),
      order: z.enum(['asc', 'desc']).default('desc').describe('Order by timestamp.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', userId: 'bob', pageSize: 50 }] }),
  result: z.array(notification),
  message: 'Notification(s) retrieved successfully.',
  page: 'pageToken',

  async handle({ userId, order, pageSize, pageToken, ...filter }, { db, caller, keyring }) {
    const { organizationId, documentId } = filter;
    const readerId = caller.user?.userId ?? userId;
    if (caller.user && userId !== undefined && userId !== caller.user.userId)
      throw permissionDenied('A user can only read their own notifications.');
    if (readerId === undefined && documentId === undefined)
      throw invalidArgument('documentId or userId is required.');
    if (documentId !== undefined) await authorize(db, caller, { organizationId, documentId }, 'viewer');
    const reader =
      (await loadReader(db, caller, organizationId)) ??
      (readerId === undefined ? undefined : await loadStoredReader(db, caller, organizationId, readerId));
    const list = ['notifications', caller.apiKeyId, readerId ?? '', order, JSON.stringify(filter)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after: position, limit }) => {
        const after = position && { createdAt: Number(position[0]), notificationId: String(position[1]) };
        const readBy = reader && { reader, namedSuffices: !caller.user };
        return listNotifications(db, caller, filter, { order, limit, after }, readBy);
      },
      (row) => [row.createdAt, row.notificationId],
    );
    return { data: rows.map((row) => row.record), next };
  },
});
