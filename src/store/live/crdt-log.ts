import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { LiveTables } from '../../db/tables/live-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { withBytesInPieces } from '../platform/bytes-in-pieces.ts';

/** An editor within its document, as callers name it. */
export interface EditorKey extends DocumentRef {
  apiKeyId: string;
  editorId: string;
}

/** Updates of one editor that are to be stored together. */
export interface Append extends EditorKey {
  /** The editor that they belong to; null where there was none yet, and one may be made. */
  incarnation: string | null;
  /** Names the editor where it is made. */
  newIncarnation: string;
  /** See `packUpdates`. */
  payload: Uint8Array;
  /** Who wrote the last of them; null where a backend did. */
  userId: string | null;
  sessionId: string | null;
}

/**
 * Stores updates of many editors, all or none of them, in one statement. Answers for each the incarnation that it
 * was stored under, or undefined where nothing was stored, since the editor or its document is gone.
 */
export async function appendUpdates(db: Db, appends: readonly Append[]): Promise<(string | undefined)[]> {
  let start = 1;
  const items = appends.map(({ payload, ...item }, position) => {
    const row = { ...item, position, start, length: payload.length };
    start += payload.length;
    return row;
  });
  const bytes = Buffer.concat(appends.map(({ payload }) => payload));
  const { rows } = await sql<{ itemPosition: number; storedIncarnation: string }>`
    select item_position, stored_incarnation
    from append_crdt_updates(${json(items)}, cast(${bytes} as bytea), cast(${Date.now()} as bigint))`.execute(
    db,
  );
  const stored = new Map(rows.map((row) => [row.itemPosition, row.storedIncarnation]));
  return appends.map((_, position) => stored.get(position));
}

export type StoredEditor = Pick<LiveTables['crdtEditors'], 'incarnation' | 'type' | 'contentKey'> & {
  snapshot: Uint8Array | null;
  /** What came after it, as `unpackUpdates` reads it. */
  updates: Uint8Array | null;
};

/** An editor with all of its content, as of one moment. */
export async function loadEditor(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { organizationId, documentId, editorId }: Omit<EditorKey, 'apiKeyId'>,
): Promise<StoredEditor | undefined> {
  const query = sql<StoredEditor>`
    select incarnation, type, content_key, snapshot,
      (select string_agg(crdt_updates.payload, ''::bytea order by crdt_updates.seq) from crdt_updates
        where crdt_updates.api_key_id = ${apiKeyId} and crdt_updates.organization_id = ${organizationId}
          and crdt_updates.document_id = ${documentId} and crdt_updates.editor_id = ${editorId}) as updates
    from crdt_editors
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
      and editor_id = ${editorId}`;
  const [editor] = await withBytesInPieces(db, query, {
    bytes: ['snapshot', 'updates'],
    others: ['incarnation', 'type', 'content_key'],
  });
  return editor;
}

/** Yjs client ids of those who had written in an editor of this name that was deleted. */
export async function loadDeletion(
  db: Db,
  { apiKeyId, organizationId, documentId, editorId }: EditorKey,
): Promise<number[]> {
  const row = await db
    .selectFrom('crdtDeletions')
    .select('clientIds')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('editorId', '=', editorId)
    .executeTakeFirst();
  return row?.clientIds ?? [];
}
