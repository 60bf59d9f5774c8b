import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { knowledgeBodyBytes, sourceId } from '../../../shapes/memory/knowledge.ts';
import { listRules } from '../../../store/knowledge/knowledge-items.ts';
import { getKnowledgeSource } from '../../../store/knowledge/knowledge-sources.ts';

export default read({
  path: '/v2/memory/knowledge/rules',
  auth: 'apiKey',
  summary: 'List the rules of a knowledge source.',
  description:
    'In the order of the file. None for an unknown source, one that holds no rules, and one that is not read yet.',
  data: z.object({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      category: z.string().nullable().describe('The section that it stands in.'),
      index: z.number().describe('From 0.'),
    }),
  ),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,

  async handle({ sourceId }, { caller, db }) {
    const source = await getKnowledgeSource(db, caller, sourceId);
    if (source?.status !== 'completed') return [];
    return await listRules(db, { apiKeyId: caller.apiKeyId, contentId: source.contentId });
  },
});
