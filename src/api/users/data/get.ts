import { z } from 'zod';
import { withLinks } from '../../../annotations/attachment-record.ts';
import { attachmentLinks } from '../../../files/attachments.ts';
import { read } from '../../../http/endpoint.ts';
import { openCursor, type Position, sealCursor } from '../../../lib/cursor.ts';
import { wholeComment } from '../../../shapes/annotations/comment-record.ts';
import { annotationMetadata } from '../../../shapes/annotations/documented.ts';
import { reactionRecord } from '../../../shapes/annotations/reaction.ts';
import { organizationId, userId } from '../../../shapes/id-fields.ts';
import { documentedAs, named } from '../../../shapes/named.ts';
import { notification } from '../../../shapes/notification.ts';
import { pageToken } from '../../../shapes/page-fields.ts';
import { listCommentsBy, listNotificationsTo, listReactionsBy } from '../../../store/privacy/user-data.ts';

const PAGE = 100;
const record = z.looseObject({});
const records = z.array(record);
const comment = named(
  'UserComment',
  documentedAs(wholeComment.extend({ annotationId: z.string(), metadata: annotationMetadata }), record),
);
const reaction = named(
  'UserReaction',
  documentedAs(reactionRecord.extend({ annotationId: z.string(), metadata: annotationMetadata }), record),
);
const received = named(
  'UserNotification',
  documentedAs(
    notification
      .omit({ isUnread: true, forYou: true })
      .extend({ readAt: z.number().nullable().describe('Epoch milliseconds; null if unread.') }),
    record,
  ),
);

export default read({
  path: '/v2/users/data/get',
  auth: 'apiKey',
  role: 'editor',
  summary: "Get all data of a user in an organization: what the user wrote, and the user's notifications.",
  description: `Returns at most ${PAGE} entries of each kind. \`nextPageToken\` is null on the last page.`,
  data: z
    .object({ organizationId, userId, pageToken: pageToken.nullish() })
    .meta({ examples: [{ organizationId: 'acme', userId: 'eve' }] }),
  result: z.object({
    comments: z.array(comment),
    reactions: z.array(reaction),
    recordings: records.describe('Always empty: recordings are not stored.'),
    notifications: z.array(received),
  }),
  message: 'Data fetched successfully.',
  page: 'nextPageToken',
  audit: {
    action: 'user_data.exported',
    of: ({ organizationId, userId, pageToken }) => (pageToken == null ? { id: userId, organizationId } : []),
  },

  async handle({ pageToken, ...user }, { db, caller, keyring, origin }) {
    const list = ['user data', caller.apiKeyId, user.organizationId, user.userId];
    const at =
      pageToken == null ? {} : (JSON.parse(String(openCursor(keyring, list, pageToken)[0])) as Places);
    const comments = await next(at.comments, (after) => listCommentsBy(db, caller, user, after, PAGE + 1));
    const notifications = await next(at.notifications, (after) =>
      listNotificationsTo(db, caller, user, after, PAGE + 1),
    );
    const reactions = await next(at.reactions, (after) => listReactionsBy(db, caller, user, after, PAGE + 1));
    const places: Places = {
      comments: comments.at,
      notifications: notifications.at,
      reactions: reactions.at,
    };
    const link = attachmentLinks(keyring, origin(), caller.apiKeyId);
    const isEnd = Object.values(places).every((place) => place === null);
    return {
      data: {
        comments: comments.records.map((one) => withLinks(one, link)),
        reactions: reactions.records,
        recordings: [],
        notifications: notifications.records,
      },
      next: isEnd ? null : sealCursor(keyring, list, [JSON.stringify(places)]),
    };
  },
});

/** Cursor of each kind of data; null once the kind is complete. */
type Places = { comments?: Position | null; notifications?: Position | null; reactions?: Position | null };

async function next(
  at: Position | null | undefined,
  list: (after: Position | undefined) => Promise<{ position: Position; record: Record<string, unknown> }[]>,
) {
  if (at === null) return { records: [], at: null };
  const rows = await list(at);
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
  return { records: rows.slice(0, PAGE).map((row) => row.record), at: last?.position ?? null };
}
