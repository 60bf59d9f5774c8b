import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { liveState, liveStateDataId } from '../../shapes/presence.ts';
import { listLiveStates } from '../../store/live/live-states.ts';

export default read({
  path: '/v2/livestate/get',
  auth: 'apiKey',
  summary: 'List the live states of a document, in the order of their ids.',
  data: z
    .object({
      organizationId,
      documentId,
      liveStateDataIds: z.array(liveStateDataId).min(1).max(30).optional().describe('Only these.'),
      pageSize: pageSize(100, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website' }] }),
  result: z.array(liveState),
  message: 'Live state retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { liveStateDataIds } = asked;
    const list = ['live states', caller.apiKeyId, JSON.stringify(asked)];
    const [lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const after = lastId === undefined ? undefined : String(lastId);
    const rows = await listLiveStates(db, caller, asked, { liveStateDataIds, after, limit: pageSize + 1 });
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return { data: rows.slice(0, pageSize), next: last && sealCursor(keyring, list, [last.liveStateDataId]) };
  },
});
