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
  summary: 'Add judgments from existing annotations.',
  description:
    'Scans annotations with their comments, suggestions and statuses, and adds missing judgments. One request scans a limited number of annotations; `nextPageToken` continues the scan. Repeating a scan adds no duplicates, but it restores revoked judgments whose annotation still exists.',
  data: z
    .object({ limit: z.number().int().min(1).max(1_000).default(200), pageToken: pageToken.optional() })
    .meta({ examples: [{ limit: 200 }] }),
  dataOptional: true,
  result: z.object({
    annotations: z.number().describe('Number of annotations that were scanned.'),
    added: z.number().describe('Number of judgments that were added.'),
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
      const max = Math.min(AT_ONCE, limit - done.annotations);
      const part = await transaction((tx) => backfillJudgments(tx, caller, after, max));
      done.annotations += part.annotations;
      done.added += part.added;
      if (part.annotations < max) return done;
      after = part.last!;
    }
    const { organizationId, documentId, annotationId } = after!;
    return { ...done, nextPageToken: sealCursor(keyring, list, [organizationId, documentId, annotationId]) };
  },
});
