import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { attachmentLinks } from '../../files/attachments.ts';
import { presentAttachment } from '../../files/present-attachment.ts';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { attachmentPlace, storedAttachment } from '../../shapes/annotations/attachment.ts';
import { commentId } from '../../shapes/annotations/comment.ts';
import { annotationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { listAttachments } from '../../store/annotation-lists/list-attachments.ts';

export default read({
  path: '/v2/attachments/list',
  auth: 'apiKeyOrUser',
  summary: 'List the attachments of a document, newest first.',
  description:
    'Users get attachments of comments that they may see, and those that they have announced themselves. Files that are stored elsewhere are not listed.',
  data: z
    .object({
      ...attachmentPlace,
      annotationId: annotationId.optional().describe('Returns only attachments of its comments.'),
      commentId: commentId.optional().describe('Returns only attachments of comments with this id.'),
      attached: z
        .boolean()
        .optional()
        .describe('True returns only attachments of comments, false only those that are in no comment yet.'),
      pageSize: pageSize(1_000, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website' }] }),
  result: z.array(storedAttachment),
  message: 'Attachments retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...filter }, { db, caller, keyring, origin }) {
    await authorize(db, caller, filter, 'viewer');
    const reader = await loadReader(db, caller, filter.organizationId);
    const list = ['attachments', caller.apiKeyId, caller.user?.userId ?? '', JSON.stringify(filter)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      (page) => listAttachments(db, caller, filter, reader, page),
      (row) => [row.createdAt, row.attachmentId],
    );
    const link = attachmentLinks(keyring, origin(), caller.apiKeyId);
    return { data: rows.map((row) => presentAttachment(row, link)), next };
  },
});
