import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { permissionDenied } from '../../../lib/errors.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { documentId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { notificationSettings } from '../../../shapes/notification-config.ts';
import { getSettings } from '../../../store/notifications/notification-settings.ts';

export default read({
  path: ['/v2/notifications/config/get', '/v1/notifications/config/get'],
  auth: 'apiKeyOrUser',
  summary: 'Get the notification preferences of a user.',
  description:
    'Channels that were never set have their default: `ALL` for the inbox, and `MINE` for emails. For a document, channels without a preference of its own have that of the organization.',
  data: z
    .object({
      organizationId,
      userId: userId.describe("With a user token, always the token's user."),
      documentIds: z.array(documentId).min(1).max(30).optional(),
      getOrganizationConfig: z
        .boolean()
        .default(false)
        .describe('Also returns the preferences for documents without preferences of their own.'),
    })
    .refine((data) => data.documentIds !== undefined || data.getOrganizationConfig === true, {
      ...withOtherProblems,
      path: ['documentIds'],
      error: 'is required',
    })
    .meta({ examples: [{ organizationId: 'acme', userId: 'bob', documentIds: ['website'] }] }),
  result: z.array(
    z.object({
      config: notificationSettings,
      metadata: z.object({
        apiKey: z.string(),
        organizationId: z.string(),
        documentId: z.string().optional().describe('Absent for organization-wide preferences.'),
        userId: z.string(),
      }),
    }),
  ),
  message: 'User config fetched successfully.',

  async handle({ organizationId, userId, documentIds = [], getOrganizationConfig }, { db, caller }) {
    if (caller.user && caller.user.userId !== userId)
      throw permissionDenied('A user can only read their own notification settings.');
    const ids = [...new Set(documentIds)];
    const settings = await getSettings(db, caller, { organizationId, userId, documentIds: ids });
    const metadata = { apiKey: caller.apiKeyId, organizationId, userId };
    return [
      ...(getOrganizationConfig ? [{ config: settings.organization, metadata }] : []),
      ...ids.map((documentId) => ({
        config: settings.byDocument.get(documentId)!,
        metadata: { ...metadata, documentId },
      })),
    ];
  },
});
