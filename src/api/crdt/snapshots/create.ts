import { call } from '../../../http/endpoint.ts';
import { foldedState } from '../../../realtime/document/read-stored.ts';
import { newSnapshot, snapshot } from '../../../shapes/crdt.ts';
import { editorMissing, holdEditor } from '../../../store/live/crdt-editors.ts';
import { loadEditor } from '../../../store/live/crdt-log.ts';
import { addSnapshot, MAX_SNAPSHOTS } from '../../../store/live/crdt-snapshots.ts';

export default call({
  path: '/v2/crdt/snapshots/create',
  auth: 'apiKey',
  summary: 'Keep the content of a live editor as it is now, under a name.',
  data: newSnapshot.meta({
    examples: [
      { organizationId: 'acme', documentId: 'website', editorId: 'notes', name: 'Before the launch' },
    ],
  }),
  result: snapshot,
  message: 'CRDT snapshot created successfully.',
  failures: {
    NOT_FOUND: 'Nothing was ever written in this editor.',
    RESOURCE_EXHAUSTED: `The editor has ${MAX_SNAPSHOTS.toLocaleString('en')} snapshots already.`,
  },

  async handle({ name, createdBy, ...editor }, { db, caller, transaction, releaseTurn }) {
    const stored = await loadEditor(db, caller, editor);
    if (!stored) throw editorMissing();
    const state = await foldedState(caller.apiKeyId, stored, releaseTurn);
    return await transaction(async (tx) => {
      await holdEditor(tx, caller, editor, stored);
      return await addSnapshot(tx, caller, editor, { name, createdBy, state });
    });
  },
});
