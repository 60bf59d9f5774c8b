import { z } from 'zod';
import { authorize, authorizeInOrganization } from '../../../access/authorize.ts';
import { write } from '../../../http/endpoint.ts';
import { permissionDenied } from '../../../lib/errors.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { documentId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { notificationSettings } from '../../../shapes/notification-config.ts';
import { lockOrganization } from '../../../store/documents/organizations.ts';
import { putSettings } from '../../../store/notifications/notification-settings.ts';

export default write({
  path: ['/v2/notifications/config/set', '/v1/notifications/config/set'],
  auth: 'apiKeyOrUser',
  summary: 'Set the notification preferences of users.',
  description: 'Channels that are not sent are not changed.',
  data: z
    .object({
      organizationId,
      userIds: z.array(userId).min(1).max(MAX_BATCH).describe("With a user token, only the token's user."),
      documentIds: z
        .array(documentId)
        .min(1)
        .max(30)
        .optional()
        .describe('If absent, the preferences apply to all documents without preferences of their own.'),
      config: notificationSettings,
    })
    .meta({
      examples: [{ organizationId: 'acme', userIds: ['bob'], config: { inbox: 'ALL', email: 'NONE' } }],
    }),
  result: z
    .record(
      z.string(),
      z.object({
        success: z.boolean(),
        userId: z.string(),
        documentId: z.string().optional().describe('Present if exactly one documentId was sent.'),
        message: z.string(),
      }),
    )
    .describe('Keyed by userId.'),
  message: 'User config set successfully.',
  failures: {
    PERMISSION_DENIED: 'A user may set only their own preferences, and not with view-only access.',
  },

  async handle({ organizationId, userIds, documentIds, config }, { tx, caller }) {
    if (caller.user && userIds.some((userId) => userId !== caller.user?.userId))
      throw permissionDenied('A user can only set their own notification settings.');
    for (const documentId of new Set(documentIds ?? []))
      await authorize(tx, caller, { organizationId, documentId }, 'editor');
    if (!documentIds) await authorizeInOrganization(tx, caller, organizationId, 'editor');
    await lockOrganization(tx, caller, organizationId, { create: !caller.user });
    await putSettings(tx, caller, { organizationId, userIds, documentIds, config });
    const [documentId, ...others] = new Set(documentIds);
    const place = documentId !== undefined && others.length === 0 ? { documentId } : {};
    return Object.fromEntries(
      userIds.map((userId) => [
        userId,
        { success: true, userId, ...place, message: 'User config set successfully.' },
      ]),
    );
  },
});
