import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { addInlineSource, addUploadedSource } from '../../../memory/knowledge/add-source.ts';
import { MAX_INLINE_BYTES } from '../../../memory/knowledge/check-file.ts';
import {
  knowledgeBodyBytes,
  knowledgeFileName,
  knowledgePlace,
  knowledgeRate,
  knowledgeType,
  needsOrganization,
} from '../../../shapes/memory/knowledge.ts';

const EXAMPLE = Buffer.from('# Voice\n\n- Always use the Oxford comma.\n- Never shout.\n');

const inline = z.strictObject({
  source: z.literal('inline').describe('The file is in the request, in `file`.'),
  file: z.strictObject({
    base64: z
      .string()
      .min(1)
      .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, { error: 'must be base64' })
      .describe('Content of the file, in base64.'),
    mimeType: knowledgeType,
    fileName: knowledgeFileName,
    fileSize: z.number().int().min(1).max(MAX_INLINE_BYTES).describe('Size of the decoded file in bytes.'),
  }),
  ...knowledgePlace,
});

const uploaded = z.strictObject({
  source: z
    .literal('fileRef')
    .describe('The file was uploaded before, as named by `fileRef` and `mimeType`.'),
  fileRef: z.url().max(1_000).describe('As returned by memory/knowledge/upload-url.'),
  mimeType: knowledgeType,
  ...knowledgePlace,
});

export default call({
  path: '/v2/memory/knowledge/ingest',
  auth: 'apiKey',
  summary: 'Add a knowledge file to the memory.',
  description:
    'Accepts PDF, CSV, XLSX, plain text and Markdown: a file of at most 5 MiB in the request, or an uploaded file. The file is processed in the background; memory/knowledge/ingest-status returns the progress. Each rule of a list, such as a checklist, is stored separately; other text is split at its headings. All parts can be searched by meaning and by keywords. If the API key already has the same file, the new source gets its own id and shares the content of the earlier source.',
  data: z
    .discriminatedUnion('source', [inline, uploaded])
    .refine(({ organizationId, documentId }) => documentId === undefined || organizationId !== undefined, {
      ...needsOrganization,
    })
    .meta({
      examples: [
        {
          source: 'inline',
          file: {
            base64: EXAMPLE.toString('base64'),
            mimeType: 'text/markdown',
            fileName: 'voice.md',
            fileSize: EXAMPLE.length,
          },
        },
      ],
    }),
  result: z.object({ status: z.literal('processing'), sourceId: z.string(), message: z.string() }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('ingest', 30),
  failures: {
    INVALID_ARGUMENT: 'The file does not match its type or size, or a field is invalid.',
    PERMISSION_DENIED:
      'The fileRef belongs to another API key, or was created for another organization or document.',
    FAILED_PRECONDITION: 'The fileRef has no uploaded file, has expired, or was ingested already.',
  },

  async handle(data, { caller, db, jobs, outside, transaction }) {
    const adding = { db, jobs, blobs: outside.blobs, transaction };
    const sourceId =
      data.source === 'inline'
        ? await addInlineSource(adding, caller, decode(data.file), data)
        : await addUploadedSource(adding, caller, data, data);
    return { status: 'processing' as const, sourceId, message: 'Knowledge ingestion task enqueued.' };
  },
});

function decode({ base64, mimeType, fileName, fileSize }: z.output<typeof inline>['file']) {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_INLINE_BYTES) {
    throw invalidArgument(
      `The file has ${bytes.length} bytes, and at most ${MAX_INLINE_BYTES} are taken within a request.`,
    );
  }
  if (bytes.length !== fileSize) {
    throw invalidArgument(`The file has ${bytes.length} bytes, and file.fileSize says ${fileSize}.`);
  }
  return { bytes, mimeType, fileName };
}
