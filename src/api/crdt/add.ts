import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { packUpdates } from '../../lib/update-list.ts';
import { sharedContentPool } from '../../realtime/document/content-pool.ts';
import { openStored, stateOf } from '../../realtime/document/stored-content.ts';
import { writeContent } from '../../realtime/edit/write-content.ts';
import { CRDT_BODY_BYTES, editorContent, SMALL_BODY_BYTES } from '../../shapes/crdt.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { addEditor } from '../../store/live/crdt-editors.ts';

const NOTHING = { snapshot: null, updates: null };

export default call({
  path: '/v2/crdt/add',
  auth: 'apiKey',
  summary: 'Set the initial content of a live editor.',
  description:
    'A connected client that has written nothing in the editor receives the content. Once anything has been written in it, the editor exists.',
  data: editorContent,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT data added successfully.',
  bodyLimitBytes: CRDT_BODY_BYTES,
  leavesContent: true,
  failures: {
    INVALID_ARGUMENT: 'The data does not match the type, or cannot be stored as it.',
    NOT_FOUND: 'The document does not exist.',
    ALREADY_EXISTS: 'The editor already has content; crdt/update replaces it.',
  },

  async handle({ type, contentKey, data, ...editor }, { caller, editors, body, transaction, releaseTurn }) {
    const update =
      body.length > SMALL_BODY_BYTES ? await inThread() : stateOf(documentWith({ type, contentKey, data }));
    await transaction(async (tx) => {
      await lockDocument(tx, caller, editor, { create: false });
      await addEditor(tx, caller, editor, { type, contentKey, payload: packUpdates([update]) });
    });
    await editors.deliver(caller, editor, update);
    return undefined;

    async function inThread() {
      releaseTurn();
      const made = await sharedContentPool().run<'write'>(caller.apiKeyId, () => ({
        name: 'write',
        stored: NOTHING,
        type,
        contentKey,
        body,
      }));
      return made.update ?? stateOf(openStored(NOTHING));
    }
  },
});

function documentWith(content: Parameters<typeof writeContent>[1]) {
  const document = openStored(NOTHING);
  writeContent(document, content);
  return document;
}
