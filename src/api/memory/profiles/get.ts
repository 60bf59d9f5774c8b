import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { reviewerProfile } from '../../../shapes/memory/memory-insight.ts';
import { findProfile } from '../../../store/memory/profiles.ts';

export default read({
  path: '/v2/memory/profiles/get',
  auth: 'apiKey',
  summary: 'Get how a person judges; null if they have not judged, or no person is named.',
  description: 'Profiles are worked out from judgments every hour, or by memory/consolidate.',
  data: z
    .object({ targetUserId: userId.optional().describe('Whose profile.') })
    .meta({ examples: [{ targetUserId: 'eve' }] }),
  result: reviewerProfile.nullable(),
  envelope: 'bare',
  message: '',

  async handle({ targetUserId }, { db, caller }) {
    return targetUserId === undefined ? null : ((await findProfile(db, caller, targetUserId)) ?? null);
  },
});
