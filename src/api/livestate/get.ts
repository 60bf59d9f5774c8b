import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { liveState, liveStateDataId } from '../../shapes/presence.ts';
import { listLiveStates } from '../../store/live/live-states.ts';

export default read({
  path: '/v2/livestate/get',
  auth: 'apiKeyOrUser',
  summary: 'List the live states of a document, ordered by id.',
  description:
    'Returns the states as they were last set with livestate/broadcast, for clients that join later; the event stream sends changes.',
  data: z
    .object({
      organizationId,
      documentId,
      liveStateDataIds: z
        .array(liveStateDataId)
        .min(1)
        .max(30)
        .optional()
        .describe('Returns only the entries with these ids.'),
      pageSize: pageSize(100, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website' }] }),
  result: z.array(liveState),
  message: 'Live state retrieved successfully.',
  page: 'nextPageToken',
  failures: { PERMISSION_DENIED: 'The user has no access to the document.' },

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    await authorize(db, caller, asked, 'viewer');
    const { liveStateDataIds } = asked;
    const list = ['live states', caller.apiKeyId, JSON.stringify(asked)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) =>
        listLiveStates(db, caller, asked, { liveStateDataIds, after: after && String(after[0]), limit }),
      (row) => [row.liveStateDataId],
    );
    return { data: rows, next };
  },
});
