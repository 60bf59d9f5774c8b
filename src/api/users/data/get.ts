import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, type Position, sealCursor } from '../../../lib/cursor.ts';
import { organizationId, userId } from '../../../shapes/id-fields.ts';
import { pageToken } from '../../../shapes/page-fields.ts';
import { listCommentsBy, listNotificationsTo, listReactionsBy } from '../../../store/privacy/user-data.ts';

const PAGE = 100;
const records = z.array(z.looseObject({}));

export default read({
  path: '/v2/users/data/get',
  auth: 'apiKey',
  summary: "Get all data of a user in an organization: what the user wrote, and the user's notifications.",
  description: `Returns at most ${PAGE} entries of each kind. \`nextPageToken\` is null on the last page.`,
  data: z
    .object({ organizationId, userId, pageToken: pageToken.nullish() })
    .meta({ examples: [{ organizationId: 'acme', userId: 'eve' }] }),
  result: z.object({
    comments: records,
    reactions: records,
    recordings: records.describe('Always empty: recordings are not stored.'),
    notifications: records,
  }),
  message: 'Data fetched successfully.',
  page: 'nextPageToken',

  async handle({ pageToken, ...user }, { db, caller, keyring }) {
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
    const isEnd = Object.values(places).every((place) => place === null);
    return {
      data: {
        comments: comments.records,
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
