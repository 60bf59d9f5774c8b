import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { packUpdates } from '../../lib/update-list.ts';
import { writeContent } from '../../realtime/edit/write-content.ts';
import { openStored, stateOf } from '../../realtime/stored-content.ts';
import { CRDT_BODY_BYTES, editorContent } from '../../shapes/crdt.ts';
import { addEditor } from '../../store/crdt-editors.ts';
import { holdDocument } from '../../store/documents.ts';

export default call({
  path: '/v2/crdt/add',
  auth: 'apiKey',
  summary: 'Give a new live editor its content.',
  description:
    'A live client that has the editor open, and wrote nothing in it yet, gets the content. Once anything was written in it, the editor exists.',
  data: editorContent,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT data added successfully.',
  bodyLimitBytes: CRDT_BODY_BYTES,
  failures: {
    INVALID_ARGUMENT: 'The data is not of the type, or cannot be kept as it.',
    NOT_FOUND: 'There is no such document.',
    ALREADY_EXISTS: 'The editor has content already; crdt/update replaces it.',
  },

  async handle({ type, contentKey, data, ...editor }, { caller, editors, transaction }) {
    const document = openStored({ snapshot: null, updates: null });
    writeContent(document, { type, contentKey, data });
    const update = stateOf(document);
    await transaction(async (tx) => {
      await holdDocument(tx, caller, editor, { create: false });
      await addEditor(tx, caller, editor, { type, contentKey, payload: packUpdates([update]) });
    });
    await editors.deliver(caller, editor, update);
    return undefined;
  },
});
