import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { issuesOf } from '../../../http/request/parse.ts';
import { phrase } from '../../../lib/text/phrase.ts';
import { importJudgments } from '../../../memory/import-judgments.ts';
import { checkedAs } from '../../../shapes/field-use.ts';
import { MAX_JUDGMENTS, newJudgment } from '../../../shapes/memory/new-judgment.ts';
import { documentedAs } from '../../../shapes/named.ts';

/** Each judgment is validated separately, so that an invalid one does not reject the others. */
const item = checkedAs(documentedAs(newJudgment, z.unknown()), newJudgment);

export default call({
  path: '/v2/memory/judgments/add',
  auth: 'apiKey',
  isHeavy: true,
  summary: 'Import judgments that were made in another system.',
  description:
    'Invalid judgments are reported in `failed` by index; all others are stored. A judgment with an existing `id` replaces the earlier one. If an id occurs twice in a request, the later judgment is stored, and the earlier one is reported in `failed`. Organizations and documents need not exist. Imported judgments can be listed immediately; search finds them after a short delay.',
  data: z.object({ judgments: z.array(item).min(1).max(MAX_JUDGMENTS) }).meta({
    examples: [
      {
        judgments: [
          {
            id: 'review-2041',
            organizationId: 'acme',
            documentId: 'website',
            decision: 'reject',
            reasoning: 'We never show prices without tax.',
            content: '9 EUR a month, plus tax',
            contentType: 'price',
            actionUser: { userId: 'eve', name: 'Eve' },
            createdAt: 1_767_260_000_000,
          },
        ],
      },
    ],
  }),
  result: z.object({
    added: z.number(),
    replaced: z.number(),
    failed: z.array(z.object({ index: z.number(), message: z.string() })),
  }),
  envelope: 'bare',
  message: '',

  async handle({ judgments }, { transaction, caller }) {
    const parsed = judgments.map((one) => newJudgment.safeParse(one, { error: phrase }));
    const messageOf = (error: z.ZodError) =>
      issuesOf(error)
        .map(({ message }) => message)
        .join('\n');
    return await importJudgments(transaction, caller, parsed, messageOf, caller.assistant);
  },
});
