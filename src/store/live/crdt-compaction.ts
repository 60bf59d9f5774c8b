import { sql } from 'kysely';
import type { LiveTables } from '../../db/tables/live-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { withBytesInPieces } from '../platform/bytes-in-pieces.ts';
import type { EditorKey } from './crdt-log.ts';

export interface DirtyEditor extends EditorKey {
  workspaceId: string;
  /** Lengths in bytes, and how many rows the log has. */
  snapshotBytes: number;
  logBytes: number;
  logRows: number;
  /** Whether there is a webhook that may be told of it. */
  isHeard: boolean;
}

interface Due {
  /** All in epoch milliseconds: */
  now: number;
  /** last written in before this, */
  quietSince: number;
  /** or first written in before this. */
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

/** Editors with updates that nobody was told of, of any tenants, once they are left alone or have waited for long. */
export async function listDirtyEditors(
  db: Db,
  { now, quietSince, dirtySince, limit }: Due,
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

/** Names the locks under which editors are looked after: each by one node at a time, or all would do the same work. */
const UPKEEP_LOCK = 7_273_102;

/** Whether this transaction may look after an editor; until its end, no other may. */
export async function claimEditor(tx: Tx, editor: EditorKey): Promise<boolean> {
  const { apiKeyId, organizationId, documentId, editorId } = editor;
  const name = JSON.stringify([apiKeyId, organizationId, documentId, editorId]);
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${UPKEEP_LOCK}::integer, hashtext(${name})) as mine`.execute(tx);
  return rows[0]!.mine;
}

const columns = ['incarnation', 'type', 'contentKey', 'snapshotVersion'] as const;

export interface SeenEditor extends Pick<LiveTables['crdtEditors'], (typeof columns)[number]> {
  /** Null where the content was not asked for, too. */
  snapshot: Uint8Array | null;
  updates: Uint8Array | null;
  /** The rows of the log that this is about. */
  seqs: number[];
  /** Epoch milliseconds. */
  lastUpdate: number;
  lastUpdatedBy: string | null;
  sessionId: string | null;
}

const ofEditor = ({ apiKeyId, organizationId, documentId, editorId }: EditorKey) =>
  sql`api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
    and editor_id = ${editorId}`;

/** An editor as of one moment, with the rows of its log; undefined where it is gone, or was told of already. */
export async function seeEditor(
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
 * Locks an editor for a moment, so that no update of it is on its way into the log; false where it is not as it
 * was seen, or where it is locked by somebody else.
 */
export async function holdSeen(
  tx: Tx,
  editor: EditorKey,
  { incarnation, snapshotVersion }: SeenEditor,
): Promise<boolean> {
  const row = await tx
    .selectFrom('crdtEditors')
    .select('editorId')
    .where(sql<boolean>`${ofEditor(editor)}`)
    .where('incarnation', '=', incarnation)
    .where('snapshotVersion', '=', snapshotVersion)
    .where('dirtySince', 'is not', null)
    .forUpdate()
    // Waiting for the lock would make those wait who write in it while it is held.
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts the content that was seen in the place of the rows that it came from. */
export async function foldEditor(
  tx: Tx,
  editor: EditorKey,
  seen: SeenEditor,
  snapshot: Uint8Array,
): Promise<void> {
  await sql`
    update crdt_editors set snapshot = ${snapshot}, snapshot_version = snapshot_version + 1,
      last_update = ${seen.lastUpdate}, last_updated_by = ${seen.lastUpdatedBy}, session_id = ${seen.sessionId}
    where ${ofEditor(editor)}`.execute(tx);
  await sql`delete from crdt_updates where ${ofEditor(editor)} and seq = any(${seen.seqs})`.execute(tx);
}

/** Notes that what was seen was told of; what came since is for the next time. */
export async function markTold(tx: Tx, editor: EditorKey, { seqs }: SeenEditor): Promise<void> {
  const here = ofEditor(editor);
  await sql`
    update crdt_editors set dirty_since = (
      select min(created_at) from crdt_updates where ${here} and not seq = any(${seqs}))
    where ${here}`.execute(tx);
}

/** Leaves an editor alone until then. */
export async function postpone(db: Db, editor: EditorKey, until: number): Promise<void> {
  await sql`update crdt_editors set dirty_since = ${until}
    where ${ofEditor(editor)} and dirty_since < ${until}`.execute(db);
}
