import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { annotationId, userId } from '../../../shapes/id-fields.ts';
import { contentType, decisionFilter, judgeType, judgmentRecord } from '../../../shapes/memory/judgment.ts';
import { documentNeedsOrganization, placeFields, placeOf } from '../../../shapes/memory/memory-place.ts';
import { judgmentRecordOf, listJudgments } from '../../../store/memory/judgments.ts';

export default read({
  path: '/v2/memory/judgments/query',
  auth: 'apiKey',
  summary: 'List judgments, newest first.',
  description:
    'Filters by exact values, without a language model or embeddings; memory/search searches by meaning. There are no further pages: narrow the filters instead.',
  data: z
    .object({
      ...placeFields,
      decision: decisionFilter.optional(),
      judgeType: judgeType.optional(),
      contentType: contentType.optional(),
      reviewerId: userId.optional().describe('User who decided.'),
      annotationId: annotationId
        .optional()
        .describe('Requires organizationId. Returns the newest judgments of this thread, oldest first.'),
      limit: z.number().int().min(1).max(100).default(20),
    })
    .refine(...documentNeedsOrganization)
    .refine((data) => data.annotationId === undefined || placeOf(data).organizationId !== undefined, {
      ...withOtherProblems,
      path: ['organizationId'],
      error: 'is required where an annotation is named',
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', decision: 'reject', limit: 20 }] }),
  result: z.object({
    results: z.array(judgmentRecord),
    total: z.number().describe('Number of returned judgments.'),
  }),
  envelope: 'bare',
  message: '',

  async handle(data, { db, caller }) {
    const { decision, judgeType, contentType, reviewerId, annotationId, limit } = data;
    const filters = { decision, judgeType, contentType, reviewerId, annotationId };
    const rows = await listJudgments(db, caller, placeOf(data), filters, limit);
    if (annotationId !== undefined) rows.reverse();
    return { results: rows.map(judgmentRecordOf), total: rows.length };
  },
});
