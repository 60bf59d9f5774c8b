import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { callerAssignedId, isNoPrototype, userId } from './id-fields.ts';
import { documentedAs, named } from './named.ts';
import { user } from './user.ts';

export const notificationId = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be letters, digits, _ and - only' })
  .refine(isNoPrototype, { error: 'must not be __proto__' })
  .describe('Notification id: letters, digits, `_` and `-`.');

export const locationId = z
  .union([callerAssignedId, z.number().transform(String)])
  .describe('Location id within the document.');

const fields = z.record(z.string(), z.unknown());
const person = user.extend({ userId });
const accessValue = z.union([z.string().max(200), z.number(), z.boolean()]);

/** Values of `context.access` by field. Fields have no colon, because pairs are stored as `field:value`. */
const access = z
  .record(
    z.string().regex(/^[^:]{1,200}$/, { error: 'must be 1 to 200 characters without a colon' }),
    z.union([accessValue, z.array(accessValue).min(1).max(100)]),
  )
  .refine((value) => Object.keys(value).length <= 50, { error: 'must have at most 50 fields' });

/** The content of a notification, as the caller writes it. */
export const notificationContent = {
  actionUser: person.describe('User who caused the notification.'),
  displayHeadlineMessageTemplate: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Headline with variables in single braces: `{actionUser} approved {file}`.'),
  displayHeadlineMessageTemplateData: z
    .looseObject({ actionUser: user.optional(), recipientUser: user.optional() })
    .describe('Values of the variables: users, and texts.'),
  displayBodyMessage: z.string().max(10_000).describe('Second line of the notification.'),
  displayBodyMessageTemplate: z.string().max(10_000),
  displayBodyMessageTemplateData: fields,
  notificationSourceData: fields.describe('Arbitrary data, returned unchanged.'),
  notifyUsers: z.array(person).max(MAX_BATCH).describe('Users to whom the notification is addressed.'),
  location: z.looseObject({ id: locationId }).describe('Location within the document.'),
  metadata: fields.describe(
    'Additional metadata, stored next to the ids of organization, document and location.',
  ),
  context: z
    .looseObject({ access: access.optional() })
    .describe('With `access`, only users with a matching value in every field are notified.'),
};

export const notificationUpdate = named(
  'NotificationUpdate',
  z.object({
    id: notificationId,
    ...z.object(notificationContent).partial().shape,
    readByUserIds: z
      .array(userId)
      .max(MAX_BATCH)
      .optional()
      .describe('Recipients who have read the notification.'),
    persistReadForUsers: z
      .boolean()
      .default(true)
      .describe('If false, the notification becomes unread for other users who have read it.'),
  }),
);
export type NotificationUpdate = z.infer<typeof notificationUpdate>;

// A loose object, since a record parses each of its keys.
const shownFields = z.looseObject({});

export const notification = named(
  'Notification',
  z.looseObject({
    id: z.string(),
    notificationSource: z.string().describe('Source of the notification, such as `custom` or `comment`.'),
    actionType: z.string().optional().describe('Type of the event, for a notification about a comment.'),
    actionUser: user,
    timestamp: z.number().describe('Epoch milliseconds.'),
    displayHeadlineMessage: z
      .string()
      .optional()
      .describe('The headline template with its variables filled in.'),
    displayHeadlineMessageTemplate: z.string().optional(),
    displayHeadlineMessageTemplateData: shownFields.optional(),
    displayBodyMessage: z.string().optional(),
    notificationSourceData: shownFields.optional(),
    targetAnnotationId: z.string().optional(),
    metadata: documentedAs(
      named(
        'NotificationMetadata',
        z.looseObject({
          apiKey: z.string(),
          organizationId: z.string(),
          documentId: z.string().optional(),
          locationId: z.string().optional(),
        }),
      ),
      shownFields,
    ).describe('Ids of the API key, organization, document and location.'),
    isNotificationResolverUsed: z
      .boolean()
      .describe('If true, clients fetch the texts from your own data provider.'),
    notifyUsersByUserId: z
      .record(z.string(), z.literal(true))
      .optional()
      .describe('Addressed users, keyed by the MD5 hash of their userId. A user sees only their own entry.'),
    isUnread: z.boolean().optional().describe('For the user whose notifications are listed.'),
    forYou: z
      .boolean()
      .optional()
      .describe('True if it is addressed to the user whose notifications are listed.'),
    readAt: z.number().optional().describe('Epoch milliseconds.'),
  }),
);
export type Notification = z.infer<typeof notification>;

export type Access = z.infer<typeof access>;

/** `field:value` pairs of a column; null if access is not restricted. */
export function accessFieldsOf(context: { access?: Access | undefined } | undefined): string[] | null {
  const pairs = Object.entries(context?.access ?? {}).flatMap(([field, values]) =>
    [values].flat().map((value) => `${field}:${value}`),
  );
  return pairs.length === 0 ? null : [...new Set(pairs)];
}
