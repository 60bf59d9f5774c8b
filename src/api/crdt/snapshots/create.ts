import { call } from '../../../http/endpoint.ts';
import { compactedState } from '../../../realtime/document/read-stored.ts';
import { newSnapshot, snapshot } from '../../../shapes/crdt.ts';
import { editorMissing, lockEditor } from '../../../store/live/crdt-editors.ts';
import { loadEditor } from '../../../store/live/crdt-log.ts';
import { addSnapshot, MAX_SNAPSHOTS } from '../../../store/live/crdt-snapshots.ts';

export default call({
  path: '/v2/crdt/snapshots/create',
  auth: 'apiKey',
  summary: 'Create a named snapshot of the content of a live editor.',
  description:
    'The snapshot contains all changes stored so far; the editor is not changed. Without a name, the snapshot is named by its time. crdt/snapshots/restore returns to it.',
  data: newSnapshot.meta({
    examples: [
      { organizationId: 'acme', documentId: 'website', editorId: 'notes', name: 'Before the launch' },
    ],
  }),
  result: snapshot,
  message: 'CRDT snapshot created successfully.',
  failures: {
    NOT_FOUND: 'The editor does not exist: nothing was ever written in it.',
    RESOURCE_EXHAUSTED: `The editor has ${MAX_SNAPSHOTS.toLocaleString('en')} snapshots already.`,
  },

  async handle({ name, createdBy, ...editor }, { db, caller, transaction, releaseTurn }) {
    const stored = await loadEditor(db, caller, editor);
    if (!stored) throw editorMissing();
    const state = await compactedState(caller.apiKeyId, stored, releaseTurn);
    return await transaction(async (tx) => {
      await lockEditor(tx, caller, editor, stored);
      return await addSnapshot(tx, caller, editor, { name, createdBy, state });
    });
  },
});
