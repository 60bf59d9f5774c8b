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
  source: z.literal('inline').describe('The file comes with the request, in `file`.'),
  file: z.strictObject({
    base64: z
      .string()
      .min(1)
      .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, { error: 'must be base64' })
      .describe('The file, in base64.'),
    mimeType: knowledgeType,
    fileName: knowledgeFileName,
    fileSize: z.number().int().min(1).max(MAX_INLINE_BYTES).describe('In bytes, decoded.'),
  }),
  ...knowledgePlace,
});

const uploaded = z.strictObject({
  source: z.literal('fileRef').describe('The file was uploaded before: `fileRef` and `mimeType` say which.'),
  fileRef: z.url().max(1_000).describe('As upload-url answered it.'),
  mimeType: knowledgeType,
  ...knowledgePlace,
});

export default call({
  path: '/v2/memory/knowledge/ingest',
  auth: 'apiKey',
  summary: 'Let the memory know what a file says.',
  description:
    'Takes PDF, CSV, XLSX, plain text and Markdown, as a file of at most 5 MiB within the request, or as one that was uploaded before. It is read in the background: ingest-status tells how far that is. Of a list of rules, such as a checklist, each rule is kept by itself; everything is parted under its headings and found by meaning and words. A file that this API key has already gets an id of its own and shares what the earlier source holds.',
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
    INVALID_ARGUMENT: 'The file is not of its type or size, or a field is not as it should be.',
    PERMISSION_DENIED:
      'The fileRef is not one of this API key, or was asked for another organization or document.',
    FAILED_PRECONDITION: 'Nothing was uploaded for the fileRef, it has expired, or it was ingested already.',
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
