import { z } from 'zod';
import { inTransaction } from '../../db/prepared.ts';
import { statement } from '../../http/endpoint.ts';
import { newTimedId } from '../../lib/ids.ts';
import { usersWithAccess } from '../../notifications/users-with-access.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { accessFieldsOf, notificationContent, notificationId } from '../../shapes/notification.ts';
import { documentMissing, lockDocument } from '../../store/documents/documents.ts';
import { lockOrganization, organizationMissing } from '../../store/documents/organizations.ts';
import { type AddedNotification, notificationAddition } from '../../store/notifications/add-notification.ts';
import { type NewNotification, putNotification } from '../../store/notifications/notifications.ts';

const { displayHeadlineMessageTemplate, displayBodyMessage, actionUser, notifyUsers, ...optional } =
  notificationContent;
const TEXTS = ['displayHeadlineMessageTemplate', 'displayBodyMessage'] as const;

export default statement({
  path: ['/v2/notifications/add', '/v1/notifications/add'],
  auth: 'apiKey',
  summary: 'Add a notification for users of an organization.',
  description: 'An existing notification with this id is overwritten.',
  data: z
    .object({
      organizationId,
      createOrganization: z
        .boolean()
        .default(true)
        .describe('Creates the organization if it does not exist.'),
      documentId: documentId
        .optional()
        .describe('If absent, the notification belongs to the whole organization.'),
      createDocument: z.boolean().default(false).describe('Creates the document if it does not exist.'),
      notificationId: notificationId.optional(),
      actionUser,
      notifyUsers,
      notifyAll: z
        .boolean()
        .default(true)
        .describe('If true, the whole organization is notified; otherwise only `notifyUsers`.'),
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Skips users in `notifyUsers` who have no access.'),
      notificationSource: z.string().min(1).max(100).default('custom'),
      isNotificationResolverUsed: z
        .boolean()
        .default(false)
        .describe('If true, clients fetch the texts from your own data provider, and no texts are required.'),
      displayHeadlineMessageTemplate: displayHeadlineMessageTemplate.optional(),
      displayBodyMessage: displayBodyMessage.optional(),
      ...z.object(optional).partial().shape,
    })
    .superRefine((data, context) => {
      for (const field of data.isNotificationResolverUsed === true ? [] : TEXTS) {
        if (data[field] === undefined)
          context.addIssue({ code: 'custom', path: [field], message: 'is required' });
      }
      if (data.notifyAll === false && data.notifyUsers?.length === 0)
        context.addIssue({ code: 'custom', path: ['notifyUsers'], message: 'must not be empty' });
    }, withOtherProblems)
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          createDocument: true,
          notificationId: 'review-of-prices',
          actionUser: { userId: 'eve', name: 'Eve' },
          displayHeadlineMessageTemplate: '{actionUser} asks {recipientUser} for a review of {page}',
          displayHeadlineMessageTemplateData: { recipientUser: { userId: 'bob', name: 'Bob' }, page: 'Home' },
          displayBodyMessage: 'The texts of the second section are new.',
          notifyUsers: [{ userId: 'bob', email: 'bob@example.com' }],
          notifyAll: false,
        },
      ],
    }),
  result: z.object({ success: z.boolean(), message: z.string() }),
  message: 'Notification added successfully.',
  failures: { NOT_FOUND: 'The organization or document does not exist, and its creation was not requested.' },

  async handle(data, { caller }) {
    const { organizationId, createOrganization, documentId, createDocument, notificationId, ...rest } = data;
    const { notifyUsers, notifyAll, verifyUserPermissions, notificationSource, ...body } = rest;
    const notification: NewNotification = {
      organizationId,
      documentId: documentId ?? null,
      notificationId: notificationId ?? newTimedId('ntf'),
      locationId: data.location?.id ?? null,
      source: notificationSource,
      actionUser: data.actionUser,
      targetAnnotationId: null,
      forAll: notifyAll,
      accessFields: accessFieldsOf(data.context),
      visibility: null,
      body,
      recipients: notifyUsers,
    };
    const isSimple = notificationId === undefined && !createDocument && !verifyUserPermissions;
    const addition = isSimple
      ? notificationAddition(caller, notification, { create: createOrganization })
      : inTransaction<AddedNotification>(async (tx) => {
          await lockOrganization(tx, caller, organizationId, { create: createOrganization });
          if (documentId !== undefined)
            await lockDocument(tx, caller, { organizationId, documentId }, { create: createDocument });
          const named = notifyUsers.map(({ userId }) => userId);
          const allowed = verifyUserPermissions
            ? await usersWithAccess(tx, caller, organizationId, documentId ?? null, named)
            : new Set(named);
          const recipients = notifyUsers.filter(({ userId }) => allowed.has(userId));
          await putNotification(tx, caller, { ...notification, recipients });
          return [{ hasOrganization: true, isAdded: true }];
        });
    const result = ([row]: AddedNotification[]) => {
      if (!row?.isAdded)
        throw row?.hasOrganization || createOrganization ? documentMissing() : organizationMissing();
      return { success: true, message: 'Notification added successfully.' };
    };
    return { statement: addition, result };
  },
});
