import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { askMemory } from '../../memory/ask-memory.ts';
import { embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { modelFailures } from '../../outside/models/model-api-error.ts';
import { documentNeedsOrganization, placeFields, placeOf } from '../../shapes/memory/memory-place.ts';
import {
  filtersOf,
  memoryFilters,
  memoryText,
  recencyDays,
  threadNeedsOrganization,
  timesWithoutEffect,
} from '../../shapes/memory/memory-request.ts';

export default call({
  path: '/v2/memory/ask',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  isHeavy: true,
  summary: 'Answer a question from the memory with a language model.',
  description:
    'The model receives judgments and, without `filters` and `recencyDays`, also knowledge files, patterns, alerts and reviewer profiles. Every citation refers to a record that the model received and quotes it; `confidence` is limited by the support of the cited records. If the memory contains nothing relevant, `answer` is empty, `confidence` is 0 and no model is called. A configured model is required in any case.',
  data: z
    .object({
      question: memoryText,
      ...placeFields,
      filters: memoryFilters.optional(),
      recencyDays: recencyDays.optional(),
    })
    .refine(...documentNeedsOrganization)
    .refine(...threadNeedsOrganization)
    .meta({
      examples: [{ question: 'What do we say about prices without tax?', organizationId: 'acme' }],
    }),
  ignores: timesWithoutEffect,
  result: z.object({
    answer: z.string(),
    citations: z
      .array(z.object({ recordId: z.string(), snippet: z.string() }))
      .describe('Judgments by their id, files by their source id.'),
    confidence: z.number().describe('From 0 to 1.'),
    recordsSearched: z.number().describe('Number of records that the model received.'),
  }),
  envelope: 'bare',
  message: '',
  failures: {
    ...embedFailures,
    ...modelFailures,
    FAILED_PRECONDITION: 'No model is configured, or the provider rejects the request.',
  },

  async handle(data, { db, outside: { embeddings, models }, scorer, caller, settings }) {
    const filters = filtersOf(data.filters ?? {}, data.recencyDays, Date.now());
    const isThread = filters.annotationId !== undefined;
    return await askMemory({ db, embeddings, scorer, models, tokens: settings.runTokens }, caller, {
      question: data.question,
      place: placeOf(data),
      filters: isThread ? { ...filters, from: undefined, to: undefined } : filters,
      byTime: data.recencyDays !== undefined,
    });
  },
});
