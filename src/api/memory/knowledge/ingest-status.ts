import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { downloadLinks } from '../../../memory/knowledge/serve-links.ts';
import { sourceState } from '../../../memory/knowledge/source-state.ts';
import {
  failureReason,
  knowledgeBodyBytes,
  knowledgeMetadata,
  knowledgeRate,
  knowledgeStatus,
  sourceId,
} from '../../../shapes/memory/knowledge.ts';
import { requireKnowledgeSource } from '../../../store/knowledge/knowledge-sources.ts';

export default read({
  path: '/v2/memory/knowledge/ingest-status',
  auth: 'apiKey',
  summary: 'Get the processing status of a knowledge source.',
  description:
    'Ask until the status is `completed` or `failed`. The source can be searched once it is completed; a failed one has `failureReason`.',
  data: z.strictObject({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    status: knowledgeStatus,
    sourceId: z.string(),
    startedAt: z.number().optional().describe('Epoch milliseconds.'),
    updatedAt: z.number().optional().describe('Epoch milliseconds.'),
    mimeType: z.string().optional(),
    dedupOf: z.string().optional().describe('Id of the earlier source with the same file.'),
    failureReason: failureReason.optional(),
    extractedRulesCount: z.number().optional(),
    chunkCount: z.number().optional(),
    originalDownloadUrl: z.string().optional().describe('Link to the original file, valid for 15 minutes.'),
    canonicalMdDownloadUrl: z
      .string()
      .optional()
      .describe('Link to the text as Markdown, valid for 15 minutes.'),
    metadata: knowledgeMetadata.optional(),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('ingest-status', 600),
  failures: { NOT_FOUND: 'The knowledge source does not exist.' },

  async handle({ sourceId }, { caller, db, keyring, origin }) {
    const source = await requireKnowledgeSource(db, caller, sourceId);
    const { status, createdAt, updatedAt, ruleCount, chunkCount } = source;
    return {
      status,
      sourceId,
      startedAt: createdAt,
      updatedAt,
      ...sourceState(source),
      ...(status === 'completed' && {
        extractedRulesCount: ruleCount,
        chunkCount,
        ...downloadLinks(keyring, origin(), caller.apiKeyId, source),
      }),
    };
  },
});
