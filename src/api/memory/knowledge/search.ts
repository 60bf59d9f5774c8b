import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { findKnowledge } from '../../../memory/knowledge/find-knowledge.ts';
import { knowledgeBodyBytes, knowledgeRate, sourceId } from '../../../shapes/memory/knowledge.ts';

export default call({
  path: '/v2/memory/knowledge/search',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  isHeavy: true,
  summary: 'Search knowledge sources by meaning and by keywords.',
  description:
    'Results are ranked by meaning and keywords together; `score` is the cosine distance of the meaning, lower is closer. Results without a score come last, newest first: they have no embedding to compare.',
  data: z
    .strictObject({
      query: z.string().max(10_000).regex(/\S/, { error: 'must not be empty' }),
      sourceId: z
        .union([sourceId, z.array(sourceId).min(2).max(30)])
        .optional()
        .describe('Id of one source, or 2 to 30 ids. Defaults to all sources.'),
      limit: z.number().int().min(1).max(50).default(10),
      includeRules: z
        .boolean()
        .default(false)
        .describe('Also returns single rules, in addition to parts of the text.'),
    })
    .meta({ examples: [{ query: 'How do we write dates?', includeRules: true }] }),
  result: z.object({
    results: z.array(
      z.object({
        sourceId: z.string().optional(),
        text: z.string(),
        score: z.number().optional().describe('Cosine distance from 0 to 2, lower is closer.'),
        kind: z.enum(['chunk', 'rule']).optional(),
        ruleId: z.string().optional(),
        category: z.string().optional().describe('Section of the rule.'),
      }),
    ),
    recordsSearched: z.number().describe('Number of results.'),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('search', 120),

  async handle({ query, sourceId, limit, includeRules }, { caller, db, outside, scorer }) {
    const sourceIds = sourceId === undefined ? undefined : [sourceId].flat();
    const hits = await findKnowledge({ db, embeddings: outside.embeddings, scorer }, caller, {
      query,
      sourceIds,
      limit,
      includeRules,
    });
    const results = hits.map(({ sourceId, text, distance, kind, id, heading }) => ({
      sourceId,
      text,
      ...(distance !== undefined && { score: distance }),
      ...(includeRules && { kind }),
      ...(kind === 'rule' && { ruleId: id, ...(heading !== null && { category: heading }) }),
    }));
    // Callers see the scores, so results with a score come first in the order of the scores.
    const scored = results.filter(({ score }) => score !== undefined);
    return {
      results: [...scored, ...results.filter(({ score }) => score === undefined)],
      recordsSearched: results.length,
    };
  },
});
