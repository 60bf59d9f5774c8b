import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { embedApiError, embedFailures } from '../../memory/embedding/embed-api-error.ts';
import { suggestDecision } from '../../memory/suggestions/suggest.ts';
import { suggestion } from '../../shapes/annotations/suggestion.ts';
import { documentNeedsOrganization, placeFields, placeOf } from '../../shapes/memory/memory-place.ts';
import { memoryText } from '../../shapes/memory/memory-request.ts';

export default call({
  path: '/v2/memory/suggest',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  isHeavy: true,
  summary: 'Recommend a decision on an item, based on earlier decisions.',
  description:
    "Approvals, agreements and endorsements support approval; rejections and disagreements support rejection; other judgments count for neither. A recommendation needs two judgments on similar items. The narrowest scope with enough judgments decides; wider scopes may add caveats. A judgment's weight depends on its similarity, its age, and how many judgments its reviewer made. Judgments of agents count a quarter, and those from pages that tried to instruct the agent do not count.",
  data: z
    .object({ query: memoryText.describe('Description of the item.'), ...placeFields })
    .refine(...documentNeedsOrganization)
    .meta({
      examples: [{ query: 'Price card: 29 EUR without tax', organizationId: 'acme', documentId: 'website' }],
    }),
  result: z.object({
    primary: suggestion
      .nullable()
      .describe('The best supported recommendation; null if there are too few judgments.'),
    conflict: suggestion
      .nullable()
      .describe('The opposite recommendation, if at least two judgments support it.'),
  }),
  envelope: 'bare',
  message: '',
  failures: { ...embedFailures, DEADLINE_EXCEEDED: 'The memory search timed out.' },

  async handle(data, { db, outside: { embeddings }, scorer, settings, caller }) {
    try {
      return await suggestDecision(
        { db, embeddings, scorer, scopeLimitMs: settings.memoryScopeLimitMs },
        caller,
        {
          query: data.query,
          place: placeOf(data),
        },
      );
    } catch (error) {
      throw embedApiError(error);
    }
  },
});
