import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { deleteAttachment } from '../../access/writing/attached-files.ts';
import { write } from '../../http/endpoint.ts';
import { attachmentPlace, storedAttachmentId } from '../../shapes/annotations/attachment.ts';

export default write({
  path: '/v2/attachments/delete',
  auth: 'apiKeyOrUser',
  availableWhenFull: true,
  summary: 'Delete an attachment and its file.',
  description:
    'An attachment of a comment also disappears from the comment, which changes it: `comment.update` is sent. Users may delete attachments of their own comments and those that they have announced, and admins also those of others.',
  data: z.object({ ...attachmentPlace, attachmentId: storedAttachmentId }).meta({
    examples: [{ organizationId: 'acme', documentId: 'website', attachmentId: 'att_1a2B3cD4eF5gH6jK7mN8' }],
  }),
  result: z.object({ attachmentId: storedAttachmentId }),
  message: 'Attachment deleted successfully.',
  failures: {
    NOT_FOUND: 'The attachment does not exist on the document, or the user may not see it.',
    PERMISSION_DENIED: 'The user may not write on the document, or the comment is by another user.',
  },

  async handle({ attachmentId, ...place }, { tx, caller }) {
    await authorize(tx, caller, place, 'editor');
    await deleteAttachment(tx, caller, place, attachmentId);
    return { attachmentId };
  },
});
