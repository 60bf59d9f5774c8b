import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { reportLink } from '../../review/reviews/serve-report.ts';
import { shareLifetime, sharing } from '../../shapes/agents/report-link.ts';
import { reviewId } from '../../shapes/id-fields.ts';
import { requireReview } from '../../store/agents/reviews.ts';

export default read({
  path: '/v2/reviews/share',
  ...sharing,
  summary: 'Make a link to the report on a review, for people without credentials.',
  data: z
    .strictObject({ reviewId, validForHours: shareLifetime })
    .meta({ examples: [{ reviewId: 'review_1767260000000_1a2B3cD4eF5g', validForHours: 72 }] }),
  failures: { NOT_FOUND: 'The review does not exist.' },
  audit: {
    action: 'report.shared',
    of: ({ reviewId, validForHours }) => ({ id: reviewId, after: { validForHours } }),
  },

  async handle({ reviewId, validForHours }, { caller, db, keyring, origin }) {
    await requireReview(db, caller, reviewId);
    return reportLink(keyring, origin(), { apiKeyId: caller.apiKeyId, id: reviewId }, validForHours);
  },
});
