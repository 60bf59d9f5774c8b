import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { attachmentUploadLink } from '../../files/attachments.ts';
import { write } from '../../http/endpoint.ts';
import { invalidRequest } from '../../lib/errors.ts';
import {
  attachmentName,
  attachmentPlace,
  attachmentType,
  storedAttachmentId,
} from '../../shapes/annotations/attachment.ts';
import { createAttachment } from '../../store/attachments/attachments.ts';
import { lockDocument } from '../../store/documents/documents.ts';

export default write({
  path: '/v2/attachments/create',
  auth: 'apiKeyOrUser',
  scope: 'comment',
  summary: 'Announce a file to attach to a comment, and get a link to upload it.',
  description:
    'PUT the bytes to `uploadUrl` with the same content-type before `expiresAt`, and then name the `attachmentId` in the `attachments` of a comment on the same document. A file that is in no comment a day later is deleted. Users need the right to comment. The link contains the address at which the caller reaches the service.',
  data: z
    .object({
      ...attachmentPlace,
      fileName: attachmentName,
      mimeType: attachmentType,
      size: z
        .number()
        .int()
        .min(1)
        .max(2_147_483_647)
        .describe('In bytes. The service sets the maximum, by default 10 MiB.'),
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          fileName: 'prices.png',
          mimeType: 'image/png',
          size: 123_456,
        },
      ],
    }),
  result: z.object({
    attachmentId: storedAttachmentId,
    uploadUrl: z.string(),
    expiresAt: z.number().describe('End of `uploadUrl` in epoch milliseconds.'),
  }),
  message: 'Attachment announced successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist.',
    PERMISSION_DENIED: 'The user may not comment on the document.',
    RESOURCE_EXHAUSTED:
      'A rate limit is exceeded, the storage quota is reached, or too many attachments are in no comment yet: 100 of a user, or 1,000 of the API key.',
  },

  async handle({ fileName, mimeType, size, ...place }, { caller, tx, keyring, origin, settings }) {
    await authorize(tx, caller, place, 'editor');
    if (size > settings.attachmentBytes) {
      const message = `size must be at most ${settings.attachmentBytes}.`;
      throw invalidRequest([{ path: ['size'], code: 'too_big', message }]);
    }
    await lockDocument(tx, caller, place, { create: false });
    const created = await createAttachment(tx, caller, {
      ...place,
      uploaderId: caller.user?.userId ?? null,
      fileName,
      mimeType,
      byteSize: size,
    });
    return {
      attachmentId: created.attachmentId,
      uploadUrl: attachmentUploadLink(keyring, origin(), caller.apiKeyId, created),
      expiresAt: created.uploadUntil,
    };
  },
});
