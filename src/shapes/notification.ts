import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { callersOwnId, isNoPrototype, userId } from './id-fields.ts';
import { user } from './user.ts';

export const notificationId = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be letters, digits, _ and - only' })
  .refine(isNoPrototype, { error: 'must not be __proto__' })
  .describe('Notification: letters, digits, `_` and `-`.');

export const locationId = z
  .union([callersOwnId, z.number().transform(String)])
  .describe('Location on the document.');

const fields = z.record(z.string(), z.unknown());
const person = user.extend({ userId });
const accessValue = z.union([z.string().max(200), z.number(), z.boolean()]);

/** Values of `context.access` by field; a field with a colon could not be told from its value. */
const access = z
  .record(
    z.string().regex(/^[^:]{1,200}$/, { error: 'must be 1 to 200 characters without a colon' }),
    z.union([accessValue, z.array(accessValue).min(1).max(100)]),
  )
  .refine((value) => Object.keys(value).length <= 50, { error: 'must have at most 50 fields' });

/** The content of a notification, as the caller writes it. */
export const notificationContent = {
  actionUser: person.describe('Who caused it.'),
  displayHeadlineMessageTemplate: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Names in single braces are filled in: `{actionUser} approved {file}`.'),
  displayHeadlineMessageTemplateData: z
    .looseObject({ actionUser: user.optional(), recipientUser: user.optional() })
    .describe('Values for the names: users, and texts of your own.'),
  displayBodyMessage: z.string().max(10_000).describe('A second line.'),
  displayBodyMessageTemplate: z.string().max(10_000),
  displayBodyMessageTemplateData: fields,
  notificationSourceData: fields.describe('Kept, and comes back as it is.'),
  notifyUsers: z.array(person).max(MAX_BATCH).describe('For whom it is in particular.'),
  location: z.looseObject({ id: locationId }).describe('Where on the document.'),
  metadata: fields.describe('Kept beside the ids of the place.'),
  context: z
    .looseObject({ access: access.optional() })
    .describe('With `access`, only users who hold one value of every field are notified.'),
};

export const notificationUpdate = z.object({
  id: notificationId,
  ...z.object(notificationContent).partial().shape,
  readByUserIds: z
    .array(userId)
    .max(MAX_BATCH)
    .optional()
    .describe('Users, of those who get it, that have read it.'),
  persistReadForUsers: z
    .boolean()
    .default(true)
    .describe('Whether others who have read it still have. If not, it becomes unread for them.'),
});
export type NotificationUpdate = z.infer<typeof notificationUpdate>;

export const notification = z.looseObject({
  id: z.string(),
  notificationSource: z.string().describe('`custom`, `comment` and the like.'),
  actionType: z.string().optional().describe('What happened to a comment.'),
  actionUser: user,
  timestamp: z.number().describe('Epoch milliseconds.'),
  displayHeadlineMessage: z.string().optional().describe('The template, filled in.'),
  displayHeadlineMessageTemplate: z.string().optional(),
  displayHeadlineMessageTemplateData: fields.optional(),
  displayBodyMessage: z.string().optional(),
  notificationSourceData: fields.optional(),
  targetAnnotationId: z.string().optional(),
  metadata: fields.describe('The API key, organization, document and location it belongs to.'),
  isNotificationResolverUsed: z.boolean().describe('The texts come from a data provider of your own.'),
  notifyUsersByUserId: z
    .record(z.string(), z.literal(true))
    .optional()
    .describe('Whom it names, by the MD5 of their userId; a reader finds only themselves.'),
  isUnread: z.boolean().optional().describe('For the user whose list it is.'),
  forYou: z.boolean().optional().describe('Whether it names the user whose list it is.'),
  readAt: z.number().optional().describe('Epoch milliseconds.'),
});
export type Notification = z.infer<typeof notification>;

export type Access = z.infer<typeof access>;

/** `field:value` pairs, as a column holds them; null where nothing is asked of the reader. */
export function accessFieldsOf(context: { access?: Access | undefined } | undefined): string[] | null {
  const pairs = Object.entries(context?.access ?? {}).flatMap(([field, values]) =>
    [values].flat().map((value) => `${field}:${value}`),
  );
  return pairs.length === 0 ? null : [...new Set(pairs)];
}
