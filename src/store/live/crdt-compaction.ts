import { sql } from 'kysely';
import type { LiveTables } from '../../db/tables/live-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { withBytesInPieces } from '../platform/bytes-in-pieces.ts';
import type { EditorKey } from './crdt-log.ts';

export interface DirtyEditor extends EditorKey {
  workspaceId: string;
  snapshotBytes: number;
  logBytes: number;
  logRows: number;
  /** True if an endpoint of the API key wants the event. */
  isHeard: boolean;
}

/** Editors are due if their last change is before `quietSince`, or their first before `dirtySince`. */
interface DueQuery {
  now: number;
  quietSince: number;
  dirtySince: number;
  limit: number;
}

const sameEditor = (one: string, other: string) =>
  sql.join(
    ['api_key_id', 'organization_id', 'document_id', 'editor_id'].map(
      (column) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`,
    ),
    sql` and `,
  );

/** Due editors of any tenants: with changes that no event has announced, and a pause in typing or a long wait. */
export async function listDirtyEditors(
  db: Db,
  { now, quietSince, dirtySince, limit }: DueQuery,
): Promise<DirtyEditor[]> {
  const { rows } = await sql<DirtyEditor>`
    select api_keys.workspace_id, editor.*, log_rows, log_bytes, exists (
      select 1 from webhook_endpoints as endpoint where endpoint.api_key_id = editor.api_key_id
        and (endpoint.filter_types is null or jsonb_exists(endpoint.filter_types, 'crdt.update_data'))) as is_heard
    from (
      select api_key_id, organization_id, document_id, editor_id,
        coalesce(octet_length(snapshot), 0) as snapshot_bytes
      from crdt_editors where dirty_since <= ${now} and (dirty_since <= ${dirtySince} or coalesce((
        select created_at from crdt_updates where ${sameEditor('crdt_updates', 'crdt_editors')}
        order by seq desc limit 1), dirty_since) <= ${quietSince})
      order by dirty_since limit ${limit}) as editor
    join api_keys on api_keys.api_key_id = editor.api_key_id
    cross join lateral (
      select count(*) as log_rows, coalesce(sum(octet_length(payload)), 0) as log_bytes
      from crdt_updates where ${sameEditor('crdt_updates', 'editor')}) as log`.execute(db);
  return rows;
}

/** Namespace of the advisory locks by which one node at a time compacts an editor. */
const COMPACTION_LOCK = 7_273_102;

/** Takes an editor's advisory lock until the end of the transaction; false if another node holds it. */
export async function claimEditor(tx: Tx, editor: EditorKey): Promise<boolean> {
  const { apiKeyId, organizationId, documentId, editorId } = editor;
  const name = JSON.stringify([apiKeyId, organizationId, documentId, editorId]);
  const { isLocked } = await tx
    .selectNoFrom(
      sql<boolean>`pg_try_advisory_xact_lock(${COMPACTION_LOCK}::integer, hashtext(${name}))`.as('isLocked'),
    )
    .executeTakeFirstOrThrow();
  return isLocked;
}

const columns = ['incarnation', 'type', 'contentKey', 'snapshotVersion'] as const;

/** An editor as read by one statement. */
export interface SeenEditor extends Pick<LiveTables['crdtEditors'], (typeof columns)[number]> {
  /** Null also if the content was not requested. */
  snapshot: Uint8Array | null;
  updates: Uint8Array | null;
  /** The rows of the log that were read. */
  seqs: number[];
  /** Epoch milliseconds. */
  lastUpdate: number;
  lastUpdatedBy: string | null;
  sessionId: string | null;
}

const ofEditor = ({ apiKeyId, organizationId, documentId, editorId }: EditorKey) =>
  sql<boolean>`api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
    and editor_id = ${editorId}`;

/** Reads an editor with its log in one statement; undefined if it is deleted or no longer due. */
export async function readDirtyEditor(
  db: Db,
  editor: EditorKey,
  { withContent }: { withContent: boolean },
): Promise<SeenEditor | undefined> {
  const here = ofEditor(editor);
  const content = withContent
    ? sql`snapshot, (select string_agg(payload, ''::bytea order by seq) from crdt_updates where ${here})`
    : sql`null::bytea as snapshot, null::bytea`;
  const query = sql<SeenEditor>`
    select incarnation, type, content_key, snapshot_version, ${content} as updates,
      (select coalesce(jsonb_agg(seq order by seq), '[]') from crdt_updates where ${here}) as seqs,
      coalesce(newest.created_at, last_update) as last_update,
      case when newest.created_at is null then last_updated_by else newest.user_id end as last_updated_by,
      case when newest.created_at is null then editor.session_id else newest.session_id end as session_id
    from (select * from crdt_editors where ${here} and dirty_since is not null) as editor
    left join (
      select created_at, user_id, session_id from crdt_updates where ${here} order by seq desc limit 1) as newest
      on true`;
  const [seen] = await withBytesInPieces(db, query, {
    bytes: ['snapshot', 'updates'],
    others: [
      'incarnation',
      'type',
      'content_key',
      'snapshot_version',
      'seqs',
      'last_update',
      'last_updated_by',
      'session_id',
    ],
  });
  return seen;
}

/**
 * Locks an editor, so that no update is being written to its log. Returns false if it has changed since it was read,
 * or another transaction holds the lock.
 */
export async function lockUnchanged(
  tx: Tx,
  editor: EditorKey,
  { incarnation, snapshotVersion }: SeenEditor,
): Promise<boolean> {
  const row = await tx
    .selectFrom('crdtEditors')
    .select('editorId')
    .where(ofEditor(editor))
    .where('incarnation', '=', incarnation)
    .where('snapshotVersion', '=', snapshotVersion)
    .where('dirtySince', 'is not', null)
    .forUpdate()
    // Waiting for the lock would make later writers queue behind this transaction.
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Compaction: replaces the rows of the log that were read by one snapshot. */
export async function replaceLog(
  tx: Tx,
  editor: EditorKey,
  seen: SeenEditor,
  snapshot: Uint8Array,
): Promise<void> {
  const { lastUpdate, lastUpdatedBy, sessionId, seqs } = seen;
  await tx
    .updateTable('crdtEditors')
    .set(({ eb }) => ({
      snapshot,
      snapshotVersion: eb('snapshotVersion', '+', 1),
      lastUpdate,
      lastUpdatedBy,
      sessionId,
    }))
    .where(ofEditor(editor))
    .execute();
  await tx
    .deleteFrom('crdtUpdates')
    .where(ofEditor(editor))
    .where(sql<boolean>`seq = any(${seqs})`)
    .execute();
}

/** Marks the changes that were read as announced; later ones stay due. */
export async function markAnnounced(tx: Tx, editor: EditorKey, { seqs }: SeenEditor): Promise<void> {
  await tx
    .updateTable('crdtEditors')
    .set(({ selectFrom }) => ({
      dirtySince: selectFrom('crdtUpdates')
        .select(({ fn }) => fn.min('createdAt').as('oldest'))
        .where(ofEditor(editor))
        .where(sql<boolean>`not seq = any(${seqs})`),
    }))
    .where(ofEditor(editor))
    .execute();
}

/** Makes an editor due no earlier than at a time. */
export async function postpone(db: Db, editor: EditorKey, until: number): Promise<void> {
  await db
    .updateTable('crdtEditors')
    .set({ dirtySince: until })
    .where(ofEditor(editor))
    .where('dirtySince', '<', until)
    .execute();
}
