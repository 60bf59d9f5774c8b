import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { alreadyExists, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { EditorType } from '../../shapes/crdt.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { joinPieces, piecesOf, withBytesInPieces } from '../platform/bytes-in-pieces.ts';
import type { EditorKey, KeyFields, StoredEditor } from './crdt-log.ts';

/** An editor within a tenant, as callers name it. */
export type EditorRef = Omit<EditorKey, 'apiKeyId'>;

export const editorMissing = () => notFound('No CRDT data found for this editor ID.');

/** Creates an editor on a locked document. Throws ALREADY_EXISTS, also to the slower of two concurrent calls. */
export async function addEditor(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId, editorId }: EditorRef,
  { type, contentKey, payload }: { type: EditorType; contentKey: string; payload: Uint8Array },
): Promise<void> {
  const now = Date.now();
  const key = { apiKeyId, organizationId, documentId, editorId };
  const inserted = await tx
    .insertInto('crdtEditors')
    .values({
      ...key,
      incarnation: randomUUID(),
      type,
      contentKey,
      snapshot: null,
      snapshotVersion: 0,
      createdAt: now,
      lastUpdate: now,
      lastUpdatedBy: null,
      sessionId: null,
      dirtySince: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('editorId')
    .executeTakeFirst();
  if (!inserted) throw alreadyExists('CRDT data already exists for this editor ID.');
  await tx
    .insertInto('crdtUpdates')
    .values({ apiKeyId, organizationId, documentId, editorId, payload, createdAt: now })
    .execute();
}

/**
 * Locks an editor that was loaded against concurrent callers and its deletion; writers need not wait. Throws NOT_FOUND
 * if it was deleted, or deleted and created again, meanwhile.
 */
export async function lockEditor(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId, editorId }: EditorRef,
  { incarnation }: Pick<StoredEditor, 'incarnation'>,
): Promise<void> {
  const row = await tx
    .selectFrom('crdtEditors')
    .select('editorId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('editorId', '=', editorId)
    .where('incarnation', '=', incarnation)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw editorMissing();
}

export interface ListedEditor extends StoredEditor {
  editorId: string;
  /** Epoch milliseconds. */
  lastUpdate: number;
  lastUpdatedBy: string | null;
  sessionId: string | null;
}

const LISTED_COLUMNS = {
  bytes: ['snapshot', 'updates'],
  others: ['editor_id', 'incarnation', 'type', 'content_key', 'last_update', 'last_updated_by', 'session_id'],
};

const editorOf = prepared((db, { apiKeyId, organizationId, documentId, editorId }: KeyFields) => {
  const here = sql`api_key_id = ${apiKeyId} and organization_id = ${organizationId}
    and document_id = ${documentId} and editor_id = ${editorId}`;
  const query = sql<ListedEditor>`
    select editor_id, incarnation, type, content_key, snapshot, updates,
      coalesce(newest.created_at, last_update) as last_update,
      case when newest.created_at is null then last_updated_by else newest.user_id end as last_updated_by,
      case when newest.created_at is null then editor.session_id else newest.session_id end as session_id
    from crdt_editors as editor
    cross join lateral (
      select string_agg(payload, ''::bytea order by seq) as updates from crdt_updates where ${here}) as log
    left join lateral (
      select created_at, user_id, session_id from crdt_updates where ${here} order by seq desc limit 1) as newest
      on true
    where ${here}`;
  return { compile: () => piecesOf(query, LISTED_COLUMNS).compile(db) };
});

/** One editor, as `listEditors` lists it. */
export async function findEditor(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { organizationId, documentId, editorId }: EditorRef,
): Promise<ListedEditor | undefined> {
  const pieces = await editorOf(db, { apiKeyId, organizationId, documentId, editorId });
  return joinPieces<ListedEditor>(pieces, LISTED_COLUMNS)[0];
}

interface Page {
  /** Only editors with these ids. */
  editorIds?: readonly string[] | undefined;
  /** Only editors after this id. */
  after?: string | undefined;
  limit: number;
  /** The first editor is returned whatever its size. */
  maxBytes: number;
}

/** Editors of a document with their content, each from one snapshot of the database, in the order of their ids. */
export async function listEditors(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  { organizationId, documentId }: DocumentRef,
  { editorIds, after, limit, maxBytes }: Page,
): Promise<{ editors: ListedEditor[]; hasMore: boolean }> {
  const here = sql`api_key_id = ${apiKeyId} and organization_id = ${organizationId}
    and document_id = ${documentId}`;
  const among = editorIds ? sql`and editor_id = any(${[...editorIds]})` : sql``;
  const behind = after === undefined ? sql`` : sql`and editor_id > ${after}`;
  // The columns are stored uncompressed, so their lengths are known without reading them.
  const query = sql<ListedEditor & { listed: number }>`
    with listed as materialized (
      select editor_id, coalesce(octet_length(snapshot), 0) + coalesce((
        select sum(octet_length(payload)) from crdt_updates
        where ${here} and crdt_updates.editor_id = crdt_editors.editor_id), 0) as bytes
      from crdt_editors where ${here} ${among} ${behind} order by editor_id limit ${limit + 1}),
    placed as (
      select editor_id, row_number() over (order by editor_id) as place,
        sum(bytes) over (order by editor_id) - bytes as before, count(*) over () as listed
      from listed)
    select editor.editor_id, incarnation, type, content_key, snapshot, updates, listed,
      coalesce(newest.created_at, editor.last_update) as last_update,
      case when newest.created_at is null then editor.last_updated_by else newest.user_id end as last_updated_by,
      case when newest.created_at is null then editor.session_id else newest.session_id end as session_id
    from placed
    cross join lateral (
      select * from crdt_editors where ${here} and crdt_editors.editor_id = placed.editor_id
      offset 0) as editor
    cross join lateral (
      select string_agg(payload, ''::bytea order by seq) as updates from crdt_updates
      where ${here} and crdt_updates.editor_id = placed.editor_id) as log
    left join lateral (
      select created_at, user_id, session_id from crdt_updates
      where ${here} and crdt_updates.editor_id = placed.editor_id order by seq desc limit 1) as newest on true
    where place = 1 or (place <= ${limit} and before < ${maxBytes})
    order by editor.editor_id`;
  const rows = await withBytesInPieces(db, query, {
    bytes: LISTED_COLUMNS.bytes,
    others: [...LISTED_COLUMNS.others, 'listed'],
  });
  const editors = rows.map(({ listed: _, ...row }) => row);
  return { editors, hasMore: (rows[0]?.listed ?? 0) > rows.length };
}
