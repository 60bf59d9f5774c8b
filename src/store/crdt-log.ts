import { sql } from 'kysely';
import { json } from '../db/json.ts';
import type { LiveTables } from '../db/tables/live.ts';
import type { Db, Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { DocumentRef } from './documents.ts';

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
  const now = sql`cast(${Date.now()} as bigint)`;
  // The editors are locked, if ever so lightly: whoever folds one waits for the updates that are on their way.
  // Their rows are looked up one by one, since the planner would otherwise read whole tables that it takes for small.
  const { rows } = await sql<{ position: number; incarnation: string }>`
    with item as materialized (
      select * from jsonb_to_recordset(${json(items)}) as item(position integer, "apiKeyId" text,
        "organizationId" text, "documentId" text, "editorId" text, incarnation text, "newIncarnation" text,
        "userId" text, "sessionId" text, start integer, length integer)),
    made as (
      insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation,
        snapshot_version, created_at, last_update, last_updated_by, session_id, dirty_since)
      select item."apiKeyId", item."organizationId", item."documentId", item."editorId", item."newIncarnation",
        0, ${now}, ${now}, item."userId", item."sessionId", ${now}
      from item cross join lateral (
        select 1 from documents where documents.api_key_id = item."apiKeyId"
          and documents.organization_id = item."organizationId" and documents.document_id = item."documentId"
        offset 0) as document
      where item.incarnation is null
      order by item.position
      on conflict do nothing
      returning api_key_id, organization_id, document_id, editor_id, incarnation),
    held as materialized (
      select item.position, editor.incarnation, editor.dirty_since
      from item cross join lateral (
        select crdt_editors.incarnation, crdt_editors.dirty_since from crdt_editors
        where crdt_editors.api_key_id = item."apiKeyId" and crdt_editors.organization_id = item."organizationId"
          and crdt_editors.document_id = item."documentId" and crdt_editors.editor_id = item."editorId"
          and (item.incarnation is null or crdt_editors.incarnation = item.incarnation)
        for key share) as editor
      union all
      select item.position, made.incarnation, 0
      from made join item on item."apiKeyId" = made.api_key_id and item."organizationId" = made.organization_id
        and item."documentId" = made.document_id and item."editorId" = made.editor_id),
    marked as (
      update crdt_editors set dirty_since = ${now}
      from held join item on item.position = held.position
      where held.dirty_since is null and crdt_editors.api_key_id = item."apiKeyId"
        and crdt_editors.organization_id = item."organizationId"
        and crdt_editors.document_id = item."documentId" and crdt_editors.editor_id = item."editorId"),
    logged as (
      insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, user_id, session_id,
        created_at)
      select item."apiKeyId", item."organizationId", item."documentId", item."editorId",
        substring(cast(${bytes} as bytea) from item.start for item.length), item."userId", item."sessionId", ${now}
      from held join item on item.position = held.position
      order by item.position)
    select position, incarnation from held`.execute(db);
  const stored = new Map(rows.map((row) => [row.position, row.incarnation]));
  return appends.map((_, position) => stored.get(position));
}

export type StoredEditor = Pick<LiveTables['crdtEditors'], 'incarnation' | 'type' | 'contentKey'> & {
  snapshot: Uint8Array | null;
  /** What came after it, as `unpackUpdates` reads it. */
  updates: Uint8Array | null;
};

/** An editor with all of its content, as of one moment. */
export async function loadEditor(
  db: Db | Tx,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { organizationId, documentId, editorId }: Omit<EditorKey, 'apiKeyId'>,
): Promise<StoredEditor | undefined> {
  const { rows } = await sql<StoredEditor>`
    select incarnation, type, content_key, snapshot,
      (select string_agg(crdt_updates.payload, ''::bytea order by crdt_updates.seq) from crdt_updates
        where crdt_updates.api_key_id = ${apiKeyId} and crdt_updates.organization_id = ${organizationId}
          and crdt_updates.document_id = ${documentId} and crdt_updates.editor_id = ${editorId}) as updates
    from crdt_editors
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
      and editor_id = ${editorId}`.execute(db);
  return rows[0];
}

/** Yjs client ids of those who had written in an editor of this name that was deleted. */
export async function loadDeletion(
  db: Db | Tx,
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
