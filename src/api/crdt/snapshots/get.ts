import { read } from '../../../http/endpoint.ts';
import { storedJson } from '../../../realtime/document/read-stored.ts';
import { snapshotRef, snapshotWithContent } from '../../../shapes/crdt.ts';
import { requireSnapshot } from '../../../store/live/crdt-snapshots.ts';

export default read({
  path: '/v2/crdt/snapshots/get',
  auth: 'apiKey',
  summary: 'Get the content of a snapshot of a live editor.',
  description:
    'Reads the content without changing the editor, for example to compare or preview it. crdt/snapshots/restore writes it into the editor.',
  data: snapshotRef,
  result: snapshotWithContent,
  message: 'CRDT snapshot retrieved successfully.',
  failures: { NOT_FOUND: 'The snapshot does not exist.' },

  async handle({ snapshotId, ...editor }, { db, caller, releaseTurn }) {
    const found = await requireSnapshot(db, caller, editor, snapshotId);
    const stored = { snapshot: found.state, updates: null };
    return {
      ...found,
      id: editor.editorId,
      data: await storedJson(caller.apiKeyId, stored, found, releaseTurn),
    };
  },
});
