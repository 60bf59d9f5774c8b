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
    'Rules are in the order of the file. The list is empty for an unknown source, a source without rules, and one that is not processed yet.',
  data: z.object({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      category: z.string().nullable().describe('Section of the rule.'),
      index: z.number().describe('Position of the rule, from 0.'),
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
