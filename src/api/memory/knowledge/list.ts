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
  description: `The newest ${MAX_LISTED}, the newest first.`,
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
      dedupOf: z.string().optional().describe('The source that was there first with the same file.'),
      sha256: z.string().optional().describe('Of the file, in hex.'),
      metadata: knowledgeMetadata.optional(),
      originalDownloadUrl: z.string().optional().describe('The file itself, for 15 minutes.'),
      canonicalMdDownloadUrl: z
        .string()
        .optional()
        .describe('Its text as Markdown, for 15 minutes; empty where there is none, or none yet.'),
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
