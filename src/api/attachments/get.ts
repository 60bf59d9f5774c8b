import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { attachmentLinks } from '../../files/attachments.ts';
import { presentAttachment } from '../../files/present-attachment.ts';
import { read } from '../../http/endpoint.ts';
import { notFound } from '../../lib/errors.ts';
import {
  attachmentPlace,
  storedAttachment,
  storedAttachmentId,
} from '../../shapes/annotations/attachment.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { listAttachments } from '../../store/annotation-lists/list-attachments.ts';

export default read({
  path: '/v2/attachments/get',
  auth: 'apiKeyOrUser',
  summary: 'Get an attachment, with a link to its file.',
  description:
    'Users get attachments of comments that they may see, and those that they have announced themselves. The link is valid for at least 45 minutes.',
  data: z.object({ ...attachmentPlace, attachmentId: storedAttachmentId }).meta({
    examples: [{ organizationId: 'acme', documentId: 'website', attachmentId: 'att_1a2B3cD4eF5gH6jK7mN8' }],
  }),
  result: storedAttachment,
  message: 'Attachment retrieved successfully.',
  failures: { NOT_FOUND: 'The attachment does not exist on the document, or the user may not see it.' },

  async handle({ attachmentId, ...place }, { db, caller, keyring, origin }) {
    await authorize(db, caller, place, 'viewer');
    const reader = await loadReader(db, caller, place.organizationId);
    const [row] = await listAttachments(db, caller, { ...place, attachmentId }, reader, { limit: 1 });
    if (!row) throw notFound('Attachment not found.');
    return presentAttachment(row, attachmentLinks(keyring, origin(), caller.apiKeyId));
  },
});
