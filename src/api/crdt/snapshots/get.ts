import { read } from '../../../http/endpoint.ts';
import { readContent } from '../../../realtime/edit/read-content.ts';
import { openStored } from '../../../realtime/stored-content.ts';
import { snapshotRef, snapshotWithContent } from '../../../shapes/crdt.ts';
import { requireSnapshot } from '../../../store/crdt-snapshots.ts';

export default read({
  path: '/v2/crdt/snapshots/get',
  auth: 'apiKey',
  summary: 'Get what a live editor held when a snapshot of it was made.',
  data: snapshotRef,
  result: snapshotWithContent,
  message: 'CRDT snapshot retrieved successfully.',
  failures: { NOT_FOUND: 'The editor has no such snapshot.' },

  async handle({ snapshotId, ...editor }, { db, caller }) {
    const found = await requireSnapshot(db, caller, editor, snapshotId);
    const document = openStored({ snapshot: found.state, updates: null });
    return { ...found, id: editor.editorId, data: readContent(document, found) };
  },
});
