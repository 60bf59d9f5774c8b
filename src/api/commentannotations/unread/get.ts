import { z } from 'zod';
import { readingUser, readingUserId } from '../../../access/reading-user.ts';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { documentId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { countUnread } from '../../../store/annotation-lists/unread-counts.ts';

const count = z.number().int();

export default read({
  path: '/v2/commentannotations/unread/get',
  auth: 'apiKeyOrUser',
  isHeavy: true,
  summary: 'Count what a user has not read on all documents of an organization.',
  description:
    'Counts only annotations that the user may see, on documents that they may open. The numbers of the whole organization are those of every page.',
  data: z
    .object({
      organizationId,
      userId: readingUserId,
      documentIds: z
        .array(documentId)
        .min(1)
        .max(30)
        .optional()
        .describe('Counts only on these documents. Defaults to all documents of the organization.'),
      pageSize: pageSize(1_000, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', userId: 'eve' }] }),
  result: z.object({
    annotations: count.describe('Annotations that the user has not viewed since their last change.'),
    comments: count.describe('Comments of others in them that are new or changed since the last view.'),
    documents: z
      .array(
        z.object({
          documentId: z.string(),
          annotations: count,
          comments: count,
          lastUpdated: z.number().describe('Last change of an unread annotation, in epoch milliseconds.'),
        }),
      )
      .describe('Documents with unread annotations, the last changed first.'),
  }),
  message: 'Unread counts retrieved successfully.',
  page: 'nextPageToken',

  async handle({ organizationId, userId, documentIds, pageSize, pageToken }, { db, caller, keyring }) {
    const reader = await readingUser(db, caller, organizationId, userId);
    const place = { organizationId, documentIds: documentIds && [...new Set(documentIds)] };
    const list = ['unread', caller.apiKeyId, reader.userId, JSON.stringify(place)];
    const position = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const { next, ...data } = await countUnread(db, caller, place, reader, { position, size: pageSize });
    return { data, next: next && sealCursor(keyring, list, next) };
  },
});
