import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { searchJudgments } from '../../memory/search-judgments.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { judgmentRecord, type MemoryPlace, memoryScopes } from '../../shapes/memory/judgment.ts';
import { placeFields, placeOf, wholePlace } from '../../shapes/memory/memory-place.ts';
import {
  filtersOf,
  memoryFilters,
  memoryWords,
  recencyDays,
  threadWithin,
} from '../../shapes/memory/memory-request.ts';

/** The ids of a request that its scope includes. */
function placeWithin(scope: (typeof memoryScopes)[number] | undefined, place: MemoryPlace): MemoryPlace {
  if (scope === 'apiKey') return {};
  return scope === 'organization' ? { organizationId: place.organizationId } : place;
}

export default call({
  path: '/v2/memory/search',
  auth: 'apiKey',
  storesNothing: true,
  isHeavy: true,
  summary: 'Search judgments by meaning and by words.',
  description: `Best first: by the likeness of meaning and, above it, by the words of the query that are found, those that name one thing (\`ERR-4521\`, \`1.4.3\`) most. \`similarity\` is the likeness of meaning alone, 0 for a judgment that was just written and waits to be read by the model.

With \`filters.annotationId\` the judgments of that thread come, oldest first; with \`recencyDays\` those of the last so many days, newest first. Neither looks at the query, \`similarity\` is 1, and the first stands before the second, which stands before \`filters.dateRange\`.`,
  data: z
    .object({
      query: memoryWords.describe('What to look for.'),
      embeddingType: z
        .enum(['review', 'content'])
        .default('review')
        .describe('Compare with the decision and its reasoning, or with what was reviewed.'),
      scope: z
        .enum(memoryScopes)
        .optional()
        .describe(
          '`organization` needs organizationId, `document` documentId too, `apiKey` ignores both. By default the narrowest whose ids are sent.',
        ),
      ...placeFields,
      limit: z.number().int().min(1).max(50).default(10),
      filters: memoryFilters.optional(),
      recencyDays: recencyDays.optional(),
    })
    .refine(...wholePlace)
    .refine(...threadWithin)
    .refine((data) => data.scope !== 'organization' || placeOf(data).organizationId !== undefined, {
      ...withOtherProblems,
      path: ['organizationId'],
      error: 'is required for the scope organization',
    })
    .refine((data) => data.scope !== 'document' || placeOf(data).documentId !== undefined, {
      ...withOtherProblems,
      path: ['documentId'],
      error: 'is required for the scope document',
    })
    .meta({
      examples: [
        {
          query: 'Is it fine to leave out the tax?',
          organizationId: 'acme',
          filters: { decision: 'rejected' },
          limit: 5,
        },
      ],
    }),
  result: z.object({
    results: z.array(
      judgmentRecord.extend({ similarity: z.number().describe('-1 to 1: cosine of query and judgment.') }),
    ),
    totalInScope: z.number().describe('All judgments in the scope that pass the filters.'),
    searchLatencyMs: z.number(),
  }),
  envelope: 'bare',
  message: '',
  failures: embedFailures,

  async handle(data, { db, outside: { embeddings }, scorer, caller }) {
    const started = performance.now();
    const { query, embeddingType, scope, limit, filters: sent = {}, recencyDays } = data;
    const filters = filtersOf(sent, recencyDays, Date.now());
    const isThread = filters.annotationId !== undefined;
    const found = await searchJudgments({ db, embeddings, scorer }, caller, {
      query,
      kind: embeddingType,
      // A thread is always looked up within its organization.
      place: placeWithin(isThread && scope === 'apiKey' ? 'organization' : scope, placeOf(data)),
      filters: isThread ? { ...filters, from: undefined, to: undefined } : filters,
      byTime: recencyDays !== undefined,
      limit,
    });
    return { ...found, searchLatencyMs: Math.round((performance.now() - started) * 100) / 100 };
  },
});
