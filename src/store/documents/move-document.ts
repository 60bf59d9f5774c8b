import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { condition, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { bothClientIds } from '../live/crdt-deletions.ts';
import { inChunks } from '../platform/in-chunks.ts';
import { lockStructure } from './organizations.ts';

/** The treatment of each table with a document id when a document gets another id. A test keeps the list complete. */
export const documentTables = {
  documents: 'made anew or merged, then deleted',
  annotations: 'moved',
  comments: 'moved with its annotation',
  annotation_views: 'moved with its annotation',
  reactions: 'moved with its annotation',
  notifications: 'moved',
  notification_settings: 'moved, the newer one of two',
  activities: 'moved',
  judgments: 'moved',
  presence: 'moved, the newer one of two',
  live_states: 'moved, the newer one of two',
  executions: 'moved',
  review_schedules: 'moved',
  finding_records: 'moved, those of the new document remain',
  knowledge_sources: 'moved',
  knowledge_uploads: 'moved',
  attachments: 'moved',
  crdt_editors: 'moved',
  crdt_updates: 'moved with its editor',
  crdt_snapshots: 'moved with its editor',
  crdt_deletions: 'moved, two as one',
  document_migrations: 'history, which stays',
  live_events: 'history of a day, which stays',
  audit_log: 'history, which nothing changes',
} as const;

/** The document cannot get the other id; the message is shown to the caller. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

/** A concurrent change came between; a retry may succeed. */
export class MoveDisturbed extends Error {
  override name = 'MoveDisturbed';
}

export interface Move {
  organizationId: string;
  documentId: string;
  newDocumentId: string;
}

/**
 * Gives a document and all its contents another id; if a document with that id exists, both are merged. It runs in one
 * transaction: concurrent writes on either document wait, and afterwards find the old one gone.
 */
export async function moveDocument(tx: Tx, scope: Scope, move: Move, signal: AbortSignal): Promise<void> {
  await lockStructure(tx, scope, move.organizationId);
  await lockDocuments(tx, scope, move);
  const annotationIds = await lockContents(tx, scope, move, 'annotations', sql`annotation_id`);
  const editorIds = await lockContents(tx, scope, move, 'crdt_editors', sql`editor_id collate "C"`);
  await refuseClashes(tx, scope, move, annotationIds);
  await moveAnnotations(tx, scope, move, annotationIds, signal);
  await moveEditors(tx, scope, move, editorIds, signal);
  for (const table of movedTables) {
    const ids = await idsOn(tx, scope, move, table);
    await inChunks(ids, (chunk) => {
      signal.throwIfAborted();
      return movingRows(scope, move, table, chunk).execute(tx);
    });
  }
  await moveNewer(tx, scope, move, { name: 'presence', id: 'user_id' });
  await moveNewer(tx, scope, move, { name: 'live_states', id: 'live_state_id' });
  await moveNewer(tx, scope, move, { name: 'notification_settings', id: 'user_id' });
  await moveFindings(tx, scope, move);
  await moveEditorDeletions(tx, scope, move);
  await moveGrants(tx, scope, move);
  await tx
    .deleteFrom('documents')
    .where(on(scope, move, move.documentId))
    .execute();
}

/** Analyzes the largest tables before a large move, since the planner chooses the wrong indexes without statistics. */
export async function prepareMove(db: Db, scope: Scope, move: Move): Promise<void> {
  const found = await db
    .selectFrom('annotations')
    .select('annotationId')
    .where(on(scope, move, move.documentId))
    .limit(MANY_ANNOTATIONS + 1)
    .execute();
  if (found.length <= MANY_ANNOTATIONS) return;
  await sql`analyze annotations, comments, annotation_views, reactions, notifications`.execute(db);
}

const MANY_ANNOTATIONS = 1_000;

/** Tables whose rows are moved in chunks. */
const movedTables: MovedTable[] = [
  { name: 'notifications', id: 'notification_id' },
  { name: 'activities', id: 'activity_id' },
  { name: 'executions', id: 'execution_id' },
  { name: 'review_schedules', id: 'schedule_id' },
  { name: 'judgments', id: 'judgment_id' },
  { name: 'knowledge_sources', id: 'source_id' },
  { name: 'knowledge_uploads', id: 'upload_id' },
  { name: 'attachments', id: 'attachment_id' },
];

const on = ({ apiKeyId }: Scope, { organizationId }: Move, documentId: string, alias?: string) => {
  const column = (name: string) => sql.ref(alias ? `${alias}.${name}` : name);
  return condition`${column('api_key_id')} = ${apiKeyId} and ${column('organization_id')} = ${organizationId}
    and ${column('document_id')} = ${documentId}`;
};

/**
 * Creates the new document if there is none, and locks both. Executions are locked first, in the order in which a run
 * locks its execution and its document.
 */
async function lockDocuments(tx: Tx, scope: Scope, move: Move): Promise<void> {
  const locked = await lockRuns(tx, scope, move);
  await sql`
    insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
      metadata, next_annotation_number, created_at, updated_at)
    select api_key_id, organization_id, ${move.newDocumentId}, name, folder_id, access_type, disabled, metadata, 1,
      created_at, cast(${Date.now()} as bigint)
    from documents where ${on(scope, move, move.documentId)}
    on conflict do nothing`.execute(tx);
  const documents = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', move.organizationId)
    .where('documentId', 'in', [move.documentId, move.newDocumentId])
    .orderBy('documentId')
    .forUpdate()
    .execute();
  if (documents.length < 2) throw new MoveRefused('Document does not exist');
  const running = await runsOn(tx, scope, move).execute();
  if (running.some(({ executionId }) => !locked.has(executionId)))
    throw new MoveDisturbed('A run began on the document.');
}

const runsOn = (tx: Tx, scope: Scope, move: Move) =>
  tx
    .selectFrom('executions')
    .select('executionId')
    .where(on(scope, move, move.documentId))
    .where('status', '=', 'running')
    .orderBy('executionId');

async function lockRuns(tx: Tx, scope: Scope, move: Move): Promise<Set<string>> {
  const rows = await runsOn(tx, scope, move).forNoKeyUpdate().execute();
  return new Set(rows.map((row) => row.executionId));
}

/** Throws `MoveRefused` if both documents have rows of the same key that cannot be merged. */
async function refuseClashes(tx: Tx, scope: Scope, move: Move, annotationIds: string[]): Promise<void> {
  const twice: string[] = [];
  await inChunks(annotationIds, async (chunk) => {
    const rows = await tx
      .selectFrom('annotations')
      .select('annotationId')
      .where(on(scope, move, move.newDocumentId))
      .where('annotationId', 'in', chunk)
      .execute();
    twice.push(...rows.map((row) => row.annotationId));
  });
  if (twice.length > 0) throw onBoth('annotations', twice);
  const editors = await tx
    .selectFrom('crdtEditors as source')
    .innerJoin('crdtEditors as target', 'target.editorId', 'source.editorId')
    .select('source.editorId')
    .where(on(scope, move, move.documentId, 'source'))
    .where(on(scope, move, move.newDocumentId, 'target'))
    .execute();
  if (editors.length > 0) {
    throw onBoth(
      'live editors',
      editors.map((row) => row.editorId),
    );
  }
  const running = await tx
    .selectFrom('executions as source')
    .innerJoin('executions as target', (join) =>
      join
        .onRef('target.agentId', '=', 'source.agentId')
        .onRef('target.seedUrl', '=', 'source.seedUrl')
        .on('target.status', '=', 'running'),
    )
    .select('source.agentId')
    .where(on(scope, move, move.documentId, 'source'))
    .where(on(scope, move, move.newDocumentId, 'target'))
    .where('source.status', '=', 'running')
    .executeTakeFirst();
  if (running) {
    throw new MoveRefused(`The agent ${running.agentId} is running on both documents for the same URL.`);
  }
}

function onBoth(what: string, ids: string[]): MoveRefused {
  const some = ids.sort().slice(0, 5).join(', ');
  return new MoveRefused(
    `Both documents have ${what} of the same id: ${some}${ids.length > 5 ? ' and more' : ''}.`,
  );
}

/**
 * Waits for writes in annotations or editors, in the order in which writers lock them, and returns the ids of all: none is
 * added to the locked document, and nothing to these. So a later statement sees all that belongs to them.
 */
async function lockContents(
  tx: Tx,
  scope: Scope,
  move: Move,
  table: MovedTable['name'],
  id: RawBuilder<unknown>,
): Promise<string[]> {
  const there = on(scope, move, move.documentId);
  const rows = await rowsOf(
    tx,
    idRow,
    sql`select ${id} as id from ${sql.table(table)} where ${there} order by ${id} for update`,
  );
  return rows.map((row) => row.id);
}

/** Merges the tombstones of deleted editors, so that no client brings their contents back. */
async function moveEditorDeletions(tx: Tx, scope: Scope, move: Move): Promise<void> {
  await sql`
    insert into crdt_deletions (api_key_id, organization_id, document_id, editor_id, client_ids, deleted_at)
    select api_key_id, organization_id, ${move.newDocumentId}, editor_id, client_ids, deleted_at
    from crdt_deletions where ${on(scope, move, move.documentId)}
    on conflict (api_key_id, organization_id, document_id, editor_id) do update
      set client_ids = ${bothClientIds(sql`crdt_deletions.client_ids`, sql`excluded.client_ids`)},
        deleted_at = greatest(crdt_deletions.deleted_at, excluded.deleted_at)`.execute(tx);
  await tx
    .deleteFrom('crdtDeletions')
    .where(on(scope, move, move.documentId))
    .execute();
}

/** Moves annotations with what belongs to them. Their numbers continue those of the new document. */
async function moveAnnotations(
  tx: Tx,
  scope: Scope,
  move: Move,
  annotationIds: string[],
  signal: AbortSignal,
): Promise<void> {
  const rows = await tx
    .selectFrom('documents')
    .select(['documentId', 'nextAnnotationNumber as next'])
    .where((eb) => eb.or([on(scope, move, move.documentId), on(scope, move, move.newDocumentId)]))
    .execute();
  const next = new Map(rows.map((row) => [row.documentId, row.next]));
  const added = next.get(move.newDocumentId)! - 1;
  const renumbered = sql`, annotation_number = annotation_number + cast(${added} as integer)`;
  await inChunks(annotationIds, (chunk) => {
    signal.throwIfAborted();
    const moved = (table: MovedTable['name'], also?: RawBuilder<unknown>) =>
      movingRows(scope, move, { name: table, id: 'annotation_id' }, chunk, also);
    return sql`
      with moved_comments as (${moved('comments')}), moved_views as (${moved('annotation_views')}),
        moved_reactions as (${moved('reactions')})
      ${moved('annotations', renumbered)}`.execute(tx);
  });
  await tx
    .updateTable('documents')
    .set({ nextAnnotationNumber: next.get(move.documentId)! + added })
    .where(on(scope, move, move.newDocumentId))
    .execute();
}

/** Moves live editors with their updates and snapshots. */
const moveEditors = (tx: Tx, scope: Scope, move: Move, editorIds: string[], signal: AbortSignal) =>
  inChunks(editorIds, (chunk) => {
    signal.throwIfAborted();
    const moved = (table: MovedTable['name']) =>
      movingRows(scope, move, { name: table, id: 'editor_id' }, chunk);
    return sql`
      with moved_updates as (${moved('crdt_updates')}), moved_snapshots as (${moved('crdt_snapshots')})
      ${moved('crdt_editors')}`.execute(tx);
  });

/**
 * The change of the document's id in rows of a table. PostgreSQL checks foreign keys at the end of a statement, so rows
 * that refer to each other get it in one statement, of which each part names the API key.
 */
const movingRows = (
  scope: Scope,
  move: Move,
  { name, id }: MovedTable,
  ids: string[],
  also: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> =>
  sql`update ${sql.table(name)} set document_id = ${move.newDocumentId}${also}
    where ${on(scope, move, move.documentId)} and ${sql.ref(id)} = any(${ids})`;

interface MovedTable {
  name: keyof typeof documentTables;
  id: string;
}

const idRow = z.object({ id: z.string() });

const idsOn = async (tx: Tx, scope: Scope, move: Move, { name, id }: MovedTable): Promise<string[]> => {
  const rows = await rowsOf(
    tx,
    idRow,
    sql`select ${sql.ref(id)} as id from ${sql.table(name)}
    where ${on(scope, move, move.documentId)}`,
  );
  return rows.map((row) => row.id);
};

/** Moves rows; of two rows with the same key, the newer one stays. */
async function moveNewer(tx: Tx, scope: Scope, move: Move, { name, id }: MovedTable): Promise<void> {
  const [table, key] = [sql.table(name), sql.ref(id)];
  const older = (gone: string, kept: string, comparison: RawBuilder<unknown>) => sql`
    delete from ${table} as gone using ${table} as kept
    where ${on(scope, move, gone, 'gone')} and ${on(scope, move, kept, 'kept')}
      and gone.${key} = kept.${key} and gone.updated_at ${comparison} kept.updated_at`;
  await older(move.documentId, move.newDocumentId, sql`<=`).execute(tx);
  await older(move.newDocumentId, move.documentId, sql`<`).execute(tx);
  await sql`update ${table} set document_id = ${move.newDocumentId}
    where ${on(scope, move, move.documentId)}`.execute(tx);
}

/** Moves findings over runs. Of two with the same fingerprint, that of the new document stays, with its decision. */
async function moveFindings(tx: Tx, scope: Scope, move: Move): Promise<void> {
  await sql`delete from finding_records as gone using finding_records as kept
    where ${on(scope, move, move.documentId, 'gone')} and ${on(scope, move, move.newDocumentId, 'kept')}
      and gone.fingerprint = kept.fingerprint`.execute(tx);
  await tx
    .updateTable('findingRecords')
    .set({ documentId: move.newDocumentId })
    .where(on(scope, move, move.documentId))
    .execute();
}

/** Moves grants and contacts; a user with grants on both documents keeps that on the new one, and so gains no rights. */
async function moveGrants(tx: Tx, { apiKeyId }: Scope, move: Move): Promise<void> {
  const of = (alias: string, documentId: string) => sql`${sql.ref(`${alias}.api_key_id`)} = ${apiKeyId}
    and ${sql.ref(`${alias}.organization_id`)} = ${move.organizationId}
    and ${sql.ref(`${alias}.resource_type`)} = 'document' and ${sql.ref(`${alias}.resource_id`)} = ${documentId}`;
  for (const name of ['grants', 'token_contacts']) {
    const table = sql.table(name);
    await sql`delete from ${table} as gone using ${table} as kept
      where ${of('gone', move.documentId)} and ${of('kept', move.newDocumentId)} and gone.user_id = kept.user_id
    `.execute(tx);
    await sql`update ${table} set resource_id = ${move.newDocumentId} where ${of(name, move.documentId)}`.execute(
      tx,
    );
  }
}
