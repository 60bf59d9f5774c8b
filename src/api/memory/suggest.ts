import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { embedApiError, embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { suggestDecision } from '../../memory/suggestions/suggest.ts';
import { suggestion } from '../../shapes/annotations/suggestion.ts';
import { placeFields, placeOf, wholePlace } from '../../shapes/memory/memory-place.ts';
import { memoryWords } from '../../shapes/memory/memory-request.ts';

export default call({
  path: '/v2/memory/suggest',
  auth: 'apiKey',
  storesNothing: true,
  isHeavy: true,
  summary: 'Say what earlier decisions recommend for an item.',
  description:
    'Approvals, agreement and endorsement stand on one side, rejections and disagreement on the other; other judgments take none. A side needs two judgments that are about the same thing. The narrowest of the places that were sent answers if it has enough; wider ones may warn. Judgments weigh by how alike they are, how old, and how many their reviewer made; those of agents count a quarter, those from pages that tried to instruct the agent not at all.',
  data: z
    .object({ query: memoryWords.describe('Describes the item.'), ...placeFields })
    .refine(...wholePlace)
    .meta({
      examples: [{ query: 'Price card: 29 EUR without tax', organizationId: 'acme', documentId: 'website' }],
    }),
  result: z.object({
    primary: suggestion
      .nullable()
      .describe('The best grounded recommendation; null where there is too little.'),
    conflict: suggestion.nullable().describe('The other side, where it has two judgments as well.'),
  }),
  envelope: 'bare',
  message: '',
  failures: { ...embedFailures, DEADLINE_EXCEEDED: 'The memory could not be searched in time.' },

  async handle(data, { db, outside: { embeddings }, scorer, caller }) {
    try {
      return await suggestDecision({ db, embeddings, scorer }, caller, {
        query: data.query,
        place: placeOf(data),
      });
    } catch (error) {
      throw embedApiError(error);
    }
  },
});
