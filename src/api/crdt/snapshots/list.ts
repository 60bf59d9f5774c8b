import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { onEditor, snapshot } from '../../../shapes/crdt.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { listSnapshots } from '../../../store/live/crdt-snapshots.ts';

export default read({
  path: '/v2/crdt/snapshots/list',
  auth: 'apiKey',
  summary: 'List the snapshots of a live editor, newest first.',
  description:
    'The content is not included; crdt/snapshots/get returns that of one snapshot. An editor that does not exist has no snapshots.',
  data: z
    .object({ ...onEditor, pageSize: pageSize(1_000, 100), pageToken: pageToken.optional() })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', editorId: 'notes' }] }),
  result: z.array(snapshot),
  message: 'CRDT snapshots retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...editor }, { db, caller, keyring }) {
    const list = ['snapshots', caller.apiKeyId, JSON.stringify(editor)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      (page) => listSnapshots(db, caller, editor, page),
      (row) => [row.createdAt, row.snapshotId],
    );
    return { data: rows, next };
  },
});
