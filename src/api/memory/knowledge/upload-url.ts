import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { fileRefOf } from '../../../memory/knowledge/add-source.ts';
import { MAX_UPLOAD_BYTES } from '../../../memory/knowledge/check-file.ts';
import { uploadLink } from '../../../memory/knowledge/serve-links.ts';
import {
  knowledgeBodyBytes,
  knowledgeFileName,
  knowledgePlace,
  knowledgeRate,
  knowledgeType,
  needsOrganization,
} from '../../../shapes/memory/knowledge.ts';
import { createUpload } from '../../../store/knowledge/knowledge-uploads.ts';

export default write({
  path: '/v2/memory/knowledge/upload-url',
  auth: 'apiKey',
  summary: 'Create a link to upload a knowledge file.',
  description:
    'For files of up to 30 MiB. PUT the bytes to `uploadUrl` with the same content-type within 15 minutes, and send `fileRef` to memory/knowledge/ingest within the same time. The link contains the address at which the caller reaches the service.',
  data: z
    .strictObject({
      mimeType: knowledgeType,
      fileSize: z.number().int().min(1).max(MAX_UPLOAD_BYTES).describe('In bytes.'),
      fileName: knowledgeFileName.optional(),
      ...knowledgePlace,
    })
    .refine(({ organizationId, documentId }) => documentId === undefined || organizationId !== undefined, {
      ...needsOrganization,
    })
    .meta({ examples: [{ mimeType: 'application/pdf', fileSize: 123_456, fileName: 'guidelines.pdf' }] }),
  result: z.object({
    uploadUrl: z.string(),
    fileRef: z.string().describe('Value for memory/knowledge/ingest.'),
    expiresAt: z.number().describe('Epoch milliseconds.'),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('upload-url', 100),
  failures: {
    RESOURCE_EXHAUSTED: 'The rate limit of the API key is exceeded, or 50 uploads are outstanding.',
  },

  async handle(
    { mimeType, fileSize, fileName, organizationId, documentId },
    { caller, tx, keyring, origin },
  ) {
    const upload = await createUpload(tx, caller, {
      mimeType,
      byteSize: fileSize,
      fileName: fileName ?? null,
      organizationId: organizationId ?? '',
      documentId: documentId ?? '',
    });
    return {
      uploadUrl: uploadLink(keyring, origin(), caller.apiKeyId, upload),
      fileRef: fileRefOf(upload.uploadId),
      expiresAt: upload.expiresAt,
    };
  },
});
