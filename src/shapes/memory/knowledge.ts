import { z } from 'zod';
import { withOtherProblems } from '../all-problems.ts';
import { documentId, organizationId } from '../id-fields.ts';

export const sourceId = z
  .string()
  .min(1)
  .max(200)
  .describe('Knowledge source id, as returned by memory/knowledge/ingest.');

export const knowledgeType = z
  .enum([
    'application/pdf',
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/plain',
    'text/markdown',
  ])
  .describe('Media type of the file.');

export const knowledgeFileName = z.string().min(1).max(255).describe('Name of the file.');

/** Place of a knowledge source. Without both ids it applies to the whole API key. */
export const knowledgePlace = {
  organizationId: organizationId.optional(),
  documentId: documentId.optional().describe('Requires organizationId.'),
};

export const needsOrganization = {
  ...withOtherProblems,
  path: ['organizationId'],
  error: 'is required where a document is named',
};

/** Processing status of a file or source in the API. */
export const knowledgeStatus = z.enum(['processing', 'completed', 'failed']);

export const knowledgeMetadata = z.object({
  notes: z.array(z.string()).optional().describe('Parts of the file that were omitted.'),
  message: z.string().optional().describe('Reason of the failure, as a sentence.'),
  version: z.number().optional().describe('Incremented by each update of the rules.'),
});

export const failureReason = z
  .string()
  .describe(
    '`pdf-llm-conversion-failed`: a PDF cannot be read; `unsupported-mime-detected-post-validation`: another file cannot be read; `storage-upload-failed`: the file is no longer stored; `embedding-failed`: the embedding failed.',
  );

/** Room for a file of 5 MiB in base64, and the rest of the request. */
export const knowledgeBodyBytes = 10_485_760;

/** Rate limit per API key and minute. */
export const knowledgeRate = (operation: string, perMinute: number) => ({
  name: `knowledge/${operation}`,
  per: 'apiKey' as const,
  perMinute: ({ keyRateFactor }: { keyRateFactor: number }) => perMinute * keyRateFactor,
  message: `More than ${perMinute} requests of this kind came for the API key within a minute.`,
});
