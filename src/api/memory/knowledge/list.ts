import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { downloadLinks } from '../../../memory/knowledge/serve-links.ts';
import { sourceState } from '../../../memory/knowledge/source-state.ts';
import {
  failureReason,
  knowledgeBodyBytes,
  knowledgeMetadata,
  knowledgeStatus,
} from '../../../shapes/memory/knowledge.ts';
import { listKnowledgeSources } from '../../../store/knowledge/knowledge-sources.ts';

const MAX_LISTED = 100;

export default read({
  path: '/v2/memory/knowledge/list',
  auth: 'apiKey',
  summary: 'List knowledge sources.',
  description: `Returns the ${MAX_LISTED} newest sources, newest first.`,
  data: z.object({}),
  result: z.array(
    z.object({
      id: z.string(),
      sourceType: z.literal('upload'),
      fileName: z.string(),
      uploadedAt: z.number().describe('Epoch milliseconds.'),
      ruleCount: z.number(),
      chunkCount: z.number(),
      embeddingStatus: knowledgeStatus,
      mimeType: z.string().optional(),
      failureReason: failureReason.optional(),
      dedupOf: z.string().optional().describe('Id of the earlier source with the same file.'),
      sha256: z.string().optional().describe('SHA-256 of the file, in hex.'),
      metadata: knowledgeMetadata.optional(),
      originalDownloadUrl: z.string().optional().describe('Link to the original file, valid for 15 minutes.'),
      canonicalMdDownloadUrl: z
        .string()
        .optional()
        .describe('Link to the text as Markdown, valid for 15 minutes; empty if there is no text yet.'),
      organizationId: z.string().optional(),
      documentId: z.string().optional(),
    }),
  ),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,

  async handle(_data, { caller, db, keyring, origin }) {
    const sources = await listKnowledgeSources(db, caller, MAX_LISTED);
    return sources.map((source) => {
      const links = downloadLinks(keyring, origin(), caller.apiKeyId, source);
      return {
        id: source.sourceId,
        sourceType: 'upload' as const,
        fileName: source.fileName,
        uploadedAt: source.uploadedAt,
        ruleCount: source.ruleCount,
        chunkCount: source.status === 'completed' ? source.chunkCount : 0,
        embeddingStatus: source.status,
        ...sourceState(source),
        sha256: source.sha256,
        originalDownloadUrl: links.originalDownloadUrl,
        canonicalMdDownloadUrl: source.status === 'completed' ? links.canonicalMdDownloadUrl : '',
        ...(source.organizationId !== '' && { organizationId: source.organizationId }),
        ...(source.documentId !== '' && { documentId: source.documentId }),
      };
    });
  },
});
