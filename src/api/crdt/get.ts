import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { isSmall } from '../../realtime/document/content-pool.ts';
import { storedJson } from '../../realtime/document/read-stored.ts';
import { editorId, storedEditor } from '../../shapes/crdt.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { findEditor, type ListedEditor, listEditors } from '../../store/live/crdt-editors.ts';

/** Maximum of stored bytes in one response; the JSON content has about the same size. */
const PAGE_BYTES = 8_388_608;

export default read({
  path: '/v2/crdt/get',
  auth: 'apiKeyOrUser',
  summary: 'Get the stored content of live editors, ordered by id.',
  description:
    'The content includes every change that was acknowledged to a client. One response contains editors of about 8 MiB in total; `nextPageToken` continues the list.',
  data: z
    .object({
      organizationId,
      documentId,
      editorId: editorId
        .optional()
        .describe('Returns only this editor. Defaults to all editors of the document.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', editorId: 'notes' }] }),
  result: z.array(storedEditor),
  message: 'CRDT data retrieved successfully.',
  page: 'nextPageToken',

  async handle({ editorId, pageSize, pageToken, ...place }, { db, caller, keyring, releaseTurn }) {
    await authorize(db, caller, place, 'viewer');
    if (editorId !== undefined && pageToken === undefined) {
      const editor = await findEditor(db, caller, { ...place, editorId });
      return { data: editor ? [await shown(caller.apiKeyId, editor, releaseTurn)] : [], next: undefined };
    }
    const list = ['editors', caller.apiKeyId, caller.user?.userId ?? '', JSON.stringify([place, editorId])];
    const [lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const { editors, hasMore } = await listEditors(db, caller, place, {
      editorIds: editorId === undefined ? undefined : [editorId],
      after: lastId === undefined ? undefined : String(lastId),
      limit: pageSize,
      maxBytes: PAGE_BYTES,
    });
    // The turn is kept until the last large editor, because contents are in memory until a thread is free.
    const lastLarge = editors.findLast((editor) => !isSmall(editor));
    const data = [];
    for (const editor of editors) {
      data.push(await shown(caller.apiKeyId, editor, editor === lastLarge ? releaseTurn : undefined));
      // Lets live clients of this process run in between.
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
