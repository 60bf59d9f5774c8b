import { z } from 'zod';
import { isScriptUrl } from '../../lib/text/html.ts';
import { documentId, organizationId } from '../id-fields.ts';
import { named } from '../named.ts';

/** A link target. Clients may render it as HTML, so it must not run scripts. */
export const link = z.string().refine((url) => !isScriptUrl(url), { error: 'must not be a script' });

/** The id of a file that the service stores. */
export const storedAttachmentId = z
  .string()
  .regex(/^att_[0-9A-Za-z]{20}$/, { error: 'must be a number, or an id from attachments/create' })
  .describe('Id from attachments/create.');

export const attachment = named(
  'Attachment',
  z
    .looseObject({
      attachmentId: z
        .union([z.number().int().min(0).max(Number.MAX_SAFE_INTEGER), storedAttachmentId])
        .describe('A number for a file that is stored elsewhere; otherwise the id from attachments/create.'),
      name: z.string().optional(),
      bucketPath: z.string().optional(),
      size: z.number().min(0).optional().describe('In bytes.'),
      type: z.string().optional().describe('For example `image`, `video`, `document`.'),
      url: link.optional(),
      thumbnail: link.optional(),
      thumbnailWithPlayIconUrl: link.optional(),
      mimeType: z.string().optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
    })
    .describe('A file that is stored elsewhere, or one that was uploaded.'),
);
export type Attachment = z.infer<typeof attachment>;

/** The fields that the service sets for a file that it stores. */
const ofStoredFile = {
  fileName: z.string().optional().describe('Of a file that the service stores.'),
  width: z.number().int().optional().describe('Of a picture that the service stores, in pixels.'),
  height: z.number().int().optional(),
  expiresAt: z
    .number()
    .optional()
    .describe('End of `url` in epoch milliseconds, for a file that the service stores.'),
};

/** An attachment as comments are read. */
export const readAttachment = named('CommentAttachment', attachment.extend(ofStoredFile));

export const attachmentPlace = { organizationId, documentId };

export const attachmentName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/u.test(name), {
    error: 'must not contain control characters, marks of text direction or slashes',
  })
  .refine((name) => /[^.\s]/.test(name), { error: 'must not consist of dots and spaces' })
  .describe('Name under which the file is saved, without a path.');

export const attachmentType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, {
    error: 'must be a media type in lower case and without parameters, such as image/png',
  })
  .describe(
    'Media type without parameters, such as `image/png`; `application/octet-stream` if it is unknown.',
  );

/** A stored file with its state. */
export const storedAttachment = named(
  'StoredAttachment',
  z.object({
    attachmentId: storedAttachmentId,
    organizationId: z.string(),
    documentId: z.string(),
    annotationId: z.string().optional().describe('Of the comment that holds it.'),
    commentId: z.number().int().optional(),
    status: z
      .enum(['announced', 'uploaded', 'attached'])
      .describe('`announced`: the file has not arrived; `uploaded`: no comment holds it yet.'),
    fileName: z.string(),
    mimeType: z.string(),
    size: z.number().int().describe('In bytes.'),
    width: z.number().int().optional().describe('Of a picture, in pixels.'),
    height: z.number().int().optional(),
    uploaderId: z.string().optional().describe('Id of the user, if a user announced it.'),
    createdAt: z.number().describe('Epoch milliseconds.'),
    url: z.string().optional().describe('Signed link to the file, once it has arrived.'),
    expiresAt: z.number().optional().describe('End of `url` in epoch milliseconds.'),
  }),
);
export type StoredAttachment = z.infer<typeof storedAttachment>;
