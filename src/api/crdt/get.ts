import { z } from 'zod';
import { admit } from '../../access/admit.ts';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { isSmall } from '../../realtime/document/content-pool.ts';
import { storedJson } from '../../realtime/document/read-stored.ts';
import { editorId, storedEditor } from '../../shapes/crdt.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { type ListedEditor, listEditors } from '../../store/live/crdt-editors.ts';

/** Of what is stored of the editors in one answer; their content as JSON is of about that size. */
const PAGE_BYTES = 8_388_608;

export default read({
  path: '/v2/crdt/get',
  auth: 'apiKeyOrUser',
  summary: 'Get the content of live editors as it is stored, in the order of their ids.',
  description:
    'Every change that a client was told to be safe is in it. One answer has the editors of about 8 MiB; `nextPageToken` leads to the others.',
  data: z
    .object({
      organizationId,
      documentId,
      editorId: editorId.optional().describe('Only this one; by default all of the document.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', editorId: 'notes' }] }),
  result: z.array(storedEditor),
  message: 'CRDT data retrieved successfully.',
  page: 'nextPageToken',

  async handle({ editorId, pageSize, pageToken, ...place }, { db, caller, keyring, releaseTurn }) {
    await admit(db, caller, place, 'viewer');
    const list = ['editors', caller.apiKeyId, caller.user?.userId ?? '', JSON.stringify([place, editorId])];
    const [lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const { editors, hasMore } = await listEditors(db, caller, place, {
      editorIds: editorId === undefined ? undefined : [editorId],
      after: lastId === undefined ? undefined : String(lastId),
      limit: pageSize,
      maxBytes: PAGE_BYTES,
    });
    // With the turn until then, since the contents that wait for a thread are held here.
    const lastLarge = editors.findLast((editor) => !isSmall(editor));
    const data = [];
    for (const editor of editors) {
      data.push(await shown(caller.apiKeyId, editor, editor === lastLarge ? releaseTurn : undefined));
      // Live clients of this process wait for their turn meanwhile.
      await nextSlice();
    }
    return { data, next: hasMore ? sealCursor(keyring, list, [editors.at(-1)!.editorId]) : undefined };
  },
});

const shown = async (apiKeyId: string, editor: ListedEditor, onBegin: (() => void) | undefined) => ({
  id: editor.editorId,
  data: await storedJson(apiKeyId, editor, editor, onBegin),
  lastUpdate: new Date(editor.lastUpdate).toISOString(),
  lastUpdatedBy: editor.lastUpdatedBy,
  sessionId: editor.sessionId,
});
