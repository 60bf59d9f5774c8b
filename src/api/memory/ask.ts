import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { askMemory } from '../../memory/ask-memory.ts';
import { embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { modelFailures } from '../../outside/models/model-api-error.ts';
import { placeFields, placeOf, wholePlace } from '../../shapes/memory/memory-place.ts';
import {
  filtersOf,
  memoryFilters,
  memoryWords,
  recencyDays,
  threadWithin,
} from '../../shapes/memory/memory-request.ts';

export default call({
  path: '/v2/memory/ask',
  auth: 'apiKey',
  storesNothing: true,
  isHeavy: true,
  summary: 'Have a language model answer a question from the memory.',
  description:
    'The model sees judgments, and without `filters` and `recencyDays` also what files say, patterns, alerts and profiles of reviewers. Every citation is of a record that it was shown, with words of that record; `confidence` is never more than the cited records bear out. Where the memory has nothing to the question, `answer` is empty, `confidence` is 0 and no model is asked; that a model is set up is looked at first.',
  data: z
    .object({
      question: memoryWords,
      ...placeFields,
      filters: memoryFilters.optional(),
      recencyDays: recencyDays.optional(),
    })
    .refine(...wholePlace)
    .refine(...threadWithin)
    .meta({
      examples: [{ question: 'What do we say about prices without tax?', organizationId: 'acme' }],
    }),
  result: z.object({
    answer: z.string(),
    citations: z
      .array(z.object({ recordId: z.string(), snippet: z.string() }))
      .describe('Judgments by their id, files by the id of their source.'),
    confidence: z.number().describe('0 to 1.'),
    recordsSearched: z.number().describe('How many records the model was shown.'),
  }),
  envelope: 'bare',
  message: '',
  failures: {
    ...embedFailures,
    ...modelFailures,
    FAILED_PRECONDITION: 'No model is set up, or the provider refuses the request.',
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
