import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { isSmall } from '../../../realtime/document/content-pool.ts';
import { openStored } from '../../../realtime/document/stored-content.ts';
import { restoreContent } from '../../../realtime/edit/restore-content.ts';
import { snapshotRef } from '../../../shapes/crdt.ts';
import { requireSnapshot } from '../../../store/live/crdt-snapshots.ts';

export default call({
  path: '/v2/crdt/snapshots/restore',
  auth: 'apiKey',
  summary: 'Restore a live editor to a snapshot.',
  description:
    'The content is written like any other change: connected clients see it, and all snapshots remain. Create a snapshot first to be able to undo it.',
  data: snapshotRef,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT snapshot restored successfully.',
  failures: { NOT_FOUND: 'The snapshot does not exist.' },

  async handle({ snapshotId, ...editor }, { db, caller, editors, releaseTurn }) {
    const { state } = await requireSnapshot(db, caller, editor, snapshotId);
    await editors.change(
      caller,
      editor,
      (document, patience) =>
        restoreContent(document, openStored({ snapshot: state, updates: null }), patience),
      {
        isLarge: !isSmall({ snapshot: state, updates: null }),
        onBegin: releaseTurn,
        taskOn: (stored) => ({ name: 'restore', stored, state }),
      },
    );
    return undefined;
  },
});
