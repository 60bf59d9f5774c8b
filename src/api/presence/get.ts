import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { presence } from '../../shapes/presence.ts';
import { listPresence } from '../../store/live/presence-rows.ts';

export default read({
  path: '/v2/presence/get',
  auth: 'apiKeyOrUser',
  summary: 'List the users who are present on a document, ordered by id.',
  description: 'Entries without an update for 24 hours are omitted.',
  data: z
    .object({ organizationId, documentId, pageSize: pageSize(1_000, 1_000), pageToken: pageToken.optional() })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website' }] }),
  result: z.array(presence),
  message: 'Presence retrieved successfully.',
  page: 'nextPageToken',
  failures: { PERMISSION_DENIED: 'The user has no access to the document.' },

  async handle({ pageSize, pageToken, ...place }, { db, caller, keyring }) {
    await authorize(db, caller, place, 'viewer');
    const list = ['presence', caller.apiKeyId, JSON.stringify(place)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) => listPresence(db, caller, place, { after: after && String(after[0]), limit }),
      (row) => [row.userId],
    );
    return { data: rows, next };
  },
});
