import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { writeContent } from '../../realtime/edit/write-content.ts';
import { CRDT_BODY_BYTES, editorContent, SMALL_BODY_BYTES } from '../../shapes/crdt.ts';

export default call({
  path: '/v2/crdt/update',
  auth: 'apiKey',
  summary: 'Replace the content of a live editor.',
  description:
    'What is the same stays as it is: only the differences are written, so that whoever has the editor open keeps their cursor, and what they write at the same time survives beside it.',
  data: editorContent,
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT data updated successfully.',
  bodyLimitBytes: CRDT_BODY_BYTES,
  leavesContent: true,
  failures: {
    INVALID_ARGUMENT:
      'The data is not of the type, or the editor holds something else under this contentKey.',
    NOT_FOUND: 'Nothing was ever written in this editor; crdt/add makes it.',
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
