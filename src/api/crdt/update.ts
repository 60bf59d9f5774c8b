import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { writeContent } from '../../realtime/edit/write-content.ts';
import { CRDT_BODY_BYTES, editorContent, SMALL_BODY_BYTES } from '../../shapes/crdt.ts';

export default call({
  path: '/v2/crdt/update',
  auth: 'apiKey',
  summary: 'Replace the content of a live editor.',
  description:
    'Only the differences are written, so connected users keep their cursors, and concurrent edits survive.',
  data: editorContent,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT data updated successfully.',
  bodyLimitBytes: CRDT_BODY_BYTES,
  leavesContent: true,
  failures: {
    INVALID_ARGUMENT:
      'The data does not match the type, or the editor has content of another type under this contentKey.',
    NOT_FOUND: 'The editor does not exist; crdt/add creates it.',
  },

  async handle({ type, contentKey, data, ...editor }, { caller, editors, body, releaseTurn }) {
    await editors.change(
      caller,
      editor,
      (document, patience) => writeContent(document, { type, contentKey, data }, patience),
      {
        isLarge: body.length > SMALL_BODY_BYTES,
        onBegin: releaseTurn,
        taskOn: (stored) => ({ name: 'write', stored, type, contentKey, body }),
      },
    );
    return undefined;
  },
});
