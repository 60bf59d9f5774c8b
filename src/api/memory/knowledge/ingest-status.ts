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
  summary: 'See how far the reading of a knowledge source is.',
  data: z.strictObject({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    status: knowledgeStatus,
    sourceId: z.string(),
    startedAt: z.number().optional().describe('Epoch milliseconds.'),
    updatedAt: z.number().optional().describe('Epoch milliseconds.'),
    mimeType: z.string().optional(),
    dedupOf: z.string().optional().describe('The source that was there first with the same file.'),
    failureReason: failureReason.optional(),
    extractedRulesCount: z.number().optional(),
    chunkCount: z.number().optional(),
    originalDownloadUrl: z.string().optional().describe('The file itself, for 15 minutes.'),
    canonicalMdDownloadUrl: z.string().optional().describe('Its text as Markdown, for 15 minutes.'),
    metadata: knowledgeMetadata.optional(),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('ingest-status', 600),
  failures: { NOT_FOUND: 'There is no such source.' },

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
