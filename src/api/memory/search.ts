import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { searchJudgments } from '../../memory/search-judgments.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { judgmentRecord, type MemoryPlace, memoryScopes } from '../../shapes/memory/judgment.ts';
import { documentNeedsOrganization, placeFields, placeOf } from '../../shapes/memory/memory-place.ts';
import {
  filtersOf,
  memoryFilters,
  memoryText,
  recencyDays,
  threadNeedsOrganization,
  timesWithoutEffect,
} from '../../shapes/memory/memory-request.ts';

/** Drops the ids that are narrower than the requested scope. */
function placeWithin(scope: (typeof memoryScopes)[number] | undefined, place: MemoryPlace): MemoryPlace {
  if (scope === 'apiKey') return {};
  return scope === 'organization' ? { organizationId: place.organizationId } : place;
}

export default call({
  path: '/v2/memory/search',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  isHeavy: true,
  summary: 'Search judgments by meaning and by keywords.',
  description: `Results are ranked by similarity of meaning and by matching keywords; specific terms (\`ERR-4521\`, \`1.4.3\`) weigh most. \`similarity\` measures meaning only, and is 0 for a new judgment that has no embedding yet.

\`filters.annotationId\` returns the judgments of that thread, oldest first; \`recencyDays\` returns those of the given number of last days, newest first. Both ignore the query and return a \`similarity\` of 1. \`filters.annotationId\` takes precedence over \`recencyDays\`, which takes precedence over \`filters.dateRange\`.`,
  data: z
    .object({
      query: memoryText.describe('The text to search for.'),
      embeddingType: z
        .enum(['review', 'content'])
        .default('review')
        .describe(
          '`review` compares the query with the decision and its reasoning, `content` with the reviewed content.',
        ),
      scope: z
        .enum(memoryScopes)
        .optional()
        .describe(
          '`organization` requires organizationId, `document` also requires documentId, `apiKey` ignores both. Defaults to the narrowest scope for which ids are sent.',
        ),
      ...placeFields,
      limit: z.number().int().min(1).max(50).default(10),
      filters: memoryFilters.optional(),
      recencyDays: recencyDays.optional(),
    })
    .refine(...documentNeedsOrganization)
    .refine(...threadNeedsOrganization)
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
  ignores: timesWithoutEffect,
  result: z.object({
    results: z.array(
      judgmentRecord.extend({
        similarity: z.number().describe('Cosine similarity of query and judgment, from -1 to 1.'),
      }),
    ),
    totalInScope: z.number().describe('Number of judgments in the scope that match the filters.'),
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
