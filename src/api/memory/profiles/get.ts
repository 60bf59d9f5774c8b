import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { reviewerProfile } from '../../../shapes/memory/memory-insight.ts';
import { findProfile } from '../../../store/memory/profiles.ts';

export default read({
  path: '/v2/memory/profiles/get',
  auth: 'apiKey',
  summary: 'Get the review profile of a user.',
  description:
    'Profiles are computed from judgments every hour, and by memory/consolidate. The result is null if the user made no decisions or no user is named.',
  data: z
    .object({ targetUserId: userId.optional().describe('User whose profile is returned.') })
    .meta({ examples: [{ targetUserId: 'eve' }] }),
  result: reviewerProfile.nullable(),
  envelope: 'bare',
  message: '',

  async handle({ targetUserId }, { db, caller }) {
    return targetUserId === undefined ? null : ((await findProfile(db, caller, targetUserId)) ?? null);
  },
});
