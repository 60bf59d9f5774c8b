import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { pageToken } from '../../../shapes/page-fields.ts';
import { type AnnotationKey, backfillJudgments } from '../../../store/memory/backfill-judgments.ts';

/** Annotations of one transaction, which locks them for all other writers. */
const AT_ONCE = 25;

export default call({
  path: '/v2/memory/judgments/backfill',
  auth: 'apiKey',
  summary: 'Remember what was judged before this service kept a memory.',
  description:
    'Goes through annotations with their comments, suggestions and statuses, and adds the judgments that are missing. A call goes through so many annotations; where there are more, `nextPageToken` is answered, with which the next call goes on. It may be called again at any time and adds nothing twice. What was revoked comes back where what it came from is still there.',
  data: z
    .object({ limit: z.number().int().min(1).max(1_000).default(200), pageToken: pageToken.optional() })
    .meta({ examples: [{ limit: 200 }] }),
  dataOptional: true,
  result: z.object({
    annotations: z.number().describe('How many were gone through.'),
    added: z.number().describe('Judgments that were missing.'),
    nextPageToken: z.string().optional(),
  }),
  envelope: 'bare',
  message: '',

  async handle({ limit, pageToken }, { transaction, caller, keyring }) {
    const list = ['judgments-backfill', caller.apiKeyId];
    const position = pageToken === undefined ? undefined : openCursor(keyring, list, pageToken);
    let after: AnnotationKey | undefined = position && {
      organizationId: String(position[0]),
      documentId: String(position[1]),
      annotationId: String(position[2]),
    };
    const done = { annotations: 0, added: 0 };
    while (done.annotations < limit) {
      const most = Math.min(AT_ONCE, limit - done.annotations);
      const part = await transaction((tx) => backfillJudgments(tx, caller, after, most));
      done.annotations += part.annotations;
      done.added += part.added;
      if (part.annotations < most) return done;
      after = part.last!;
    }
    const { organizationId, documentId, annotationId } = after!;
    return { ...done, nextPageToken: sealCursor(keyring, list, [organizationId, documentId, annotationId]) };
  },
});
