import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { MAX_JUDGMENTS, recordId } from '../../../shapes/memory/new-judgment.ts';
import { deleteJudgments } from '../../../store/memory/judgments.ts';

export default write({
  path: '/v2/memory/judgments/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Revoke judgments.',
  description: 'Revoked judgments are excluded from search and suggestions immediately.',
  data: z
    .object({ recordIds: z.array(recordId).min(1).max(MAX_JUDGMENTS) })
    .meta({ examples: [{ recordIds: ['review-2041'] }] }),
  result: z.object({
    deleted: z.number(),
    notFound: z.array(z.string()).describe('Requested ids that do not exist.'),
  }),
  envelope: 'bare',
  message: '',

  async handle({ recordIds }, { tx, caller }) {
    const deleted = await deleteJudgments(tx, caller, recordIds);
    return { deleted: deleted.size, notFound: [...new Set(recordIds)].filter((id) => !deleted.has(id)) };
  },
});
