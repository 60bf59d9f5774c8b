import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { snapshotRef } from '../../../shapes/crdt.ts';
import { deleteSnapshot } from '../../../store/live/crdt-snapshots.ts';

export default write({
  path: '/v2/crdt/snapshots/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete a snapshot of a live editor.',
  description: 'The editor is not changed.',
  data: snapshotRef,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT snapshot deleted successfully.',
  failures: { NOT_FOUND: 'The snapshot does not exist.' },

  async handle({ snapshotId, ...editor }, { tx, caller }) {
    await deleteSnapshot(tx, caller, editor, snapshotId);
    return undefined;
  },
});
