import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { bothClientIds } from '../live/crdt-deletions.ts';
import { inParts } from '../platform/in-chunks.ts';
import { lockStructure } from './organizations.ts';

/** What becomes of each table that names a document when the document gets another id. A test holds it complete. */
export const documentTables = {
  documents: 'made anew or merged, then deleted',
  annotations: 'moved',
  comments: 'follows its annotation',
  annotation_views: 'follows its annotation',
  notifications: 'moved',
  notification_settings: 'moved, the newer one of two',
  activities: 'moved',
  judgments: 'moved',
  presence: 'moved, the newer one of two',
  live_states: 'moved, the newer one of two',
  executions: 'moved',
  knowledge_sources: 'moved',
  knowledge_uploads: 'moved',
  crdt_editors: 'moved',
  crdt_updates: 'follows its editor',
  crdt_snapshots: 'follows its editor',
  crdt_deletions: 'moved, two as one',
  document_migrations: 'history, which stays',
  live_events: 'history of a day, which stays',
} as const;

/** Why a document cannot get another id; whoever asked for it may read this. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

/** Something came between; the same try may succeed when made again. */
export class MoveDisturbed extends Error {
  override name = 'MoveDisturbed';
}

export interface Move {
  organizationId: string;
  documentId: string;
  newDocumentId: string;
}

/**
 * Gives a document another id, with all that is on it; where there is a document of that id already, what is on
 * the one comes to what is on the other. All of it is one transaction: what writes on either document meanwhile
 * waits, and afterwards finds the old one gone.
 */
export async function moveDocument(tx: Tx, scope: Scope, move: Move, signal: AbortSignal): Promise<void> {
  await lockStructure(tx, scope, move.organizationId);
  await lockDocuments(tx, scope, move);
  const annotationIds = await idsOn(tx, scope, move, { name: 'annotations', id: 'annotation_id' });
  await lockEditors(tx, scope, move);
  await refuseClashes(tx, scope, move, annotationIds);
  await moveAnnotations(tx, scope, move, annotationIds, signal);
  for (const table of oneByOne) {
    const ids = await idsOn(tx, scope, move, table);
    await inParts(ids, (part) => {
      signal.throwIfAborted();
      return sql`update ${sql.table(table.name)} set document_id = ${move.newDocumentId}
        where ${on(scope, move, move.documentId)} and ${sql.ref(table.id)} = any(${part})`.execute(tx);
    });
  }
  await moveNewer(tx, scope, move, { name: 'presence', id: 'user_id' });
  await moveNewer(tx, scope, move, { name: 'live_states', id: 'live_state_id' });
  await moveNewer(tx, scope, move, { name: 'notification_settings', id: 'user_id' });
  await moveEditorDeletions(tx, scope, move);
  await moveGrants(tx, scope, move);
  await sql`delete from documents where ${on(scope, move, move.documentId)}`.execute(tx);
}

/**
 * Tells the database how big its tables are, where much is to be moved: it cannot choose well among their
 * indexes otherwise, and the embedded one never looks by itself.
 */
export async function prepareMove(db: Db, scope: Scope, move: Move): Promise<void> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (select 1 from annotations where ${on(scope, move, move.documentId)} limit 1001) as few
  `.execute(db);
  if (rows[0]!.many > 1_000)
    await sql`analyze annotations, comments, annotation_views, notifications`.execute(db);
}

const oneByOne: Table[] = [
  { name: 'notifications', id: 'notification_id' },
  { name: 'activities', id: 'activity_id' },
  { name: 'executions', id: 'execution_id' },
  { name: 'judgments', id: 'judgment_id' },
  { name: 'knowledge_sources', id: 'source_id' },
  { name: 'knowledge_uploads', id: 'upload_id' },
  // With what was written in them and their snapshots, which follow by reference.
  { name: 'crdt_editors', id: 'editor_id' },
];

const on = ({ apiKeyId }: Scope, { organizationId }: Move, documentId: string, alias?: string) => {
  const column = (name: string) => sql.ref(alias ? `${alias}.${name}` : name);
  return sql`${column('api_key_id')} = ${apiKeyId} and ${column('organization_id')} = ${organizationId}
    and ${column('document_id')} = ${documentId}`;
};

/**
 * Makes the new document where there is none, and locks both. A run that writes on the old one holds its
 * execution first and the document then, so here, too, executions come first.
 */
async function lockDocuments(tx: Tx, scope: Scope, move: Move): Promise<void> {
  const held = await holdRuns(tx, scope, move);
  await sql`
    insert into documents (api_key_id, organization_id, document_id, name, folder_id, access_type, disabled,
      metadata, next_annotation_number, created_at, updated_at)
    select api_key_id, organization_id, ${move.newDocumentId}, name, folder_id, access_type, disabled, metadata, 1,
      created_at, cast(${Date.now()} as bigint)
    from documents where ${on(scope, move, move.documentId)}
    on conflict do nothing`.execute(tx);
  const { rows: documents } = await sql<{ documentId: string }>`
    select document_id from documents
    where api_key_id = ${scope.apiKeyId} and organization_id = ${move.organizationId}
      and document_id in (${move.documentId}, ${move.newDocumentId})
    order by document_id for update`.execute(tx);
  if (documents.length < 2) throw new MoveRefused('Document does not exist');
  const running = await runsOn(tx, scope, move);
  if (running.some((id) => !held.has(id))) throw new MoveDisturbed('A run began on the document.');
}

const runsOn = async (tx: Tx, scope: Scope, move: Move, lock = sql``): Promise<string[]> => {
  const { rows } = await sql<{ executionId: string }>`
    select execution_id from executions where ${on(scope, move, move.documentId)} and status = 'running'
    order by execution_id ${lock}`.execute(tx);
  return rows.map((row) => row.executionId);
};

const holdRuns = async (tx: Tx, scope: Scope, move: Move): Promise<Set<string>> =>
  new Set(await runsOn(tx, scope, move, sql`for no key update`));

/** What one document can have only once, and both have, would be lost on one of them. */
async function refuseClashes(tx: Tx, scope: Scope, move: Move, annotationIds: string[]): Promise<void> {
  const twice: string[] = [];
  await inParts(annotationIds, async (part) => {
    const { rows } = await sql<{ annotationId: string }>`select annotation_id from annotations
      where ${on(scope, move, move.newDocumentId)} and annotation_id = any(${part})`.execute(tx);
    twice.push(...rows.map((row) => row.annotationId));
  });
  if (twice.length > 0) throw haveBoth('annotations', twice);
  const { rows: editors } = await sql<{ editorId: string }>`
    select source.editor_id from crdt_editors as source
    join crdt_editors as target on ${on(scope, move, move.newDocumentId, 'target')}
      and target.editor_id = source.editor_id
    where ${on(scope, move, move.documentId, 'source')}`.execute(tx);
  if (editors.length > 0) {
    throw haveBoth(
      'live editors',
      editors.map((row) => row.editorId),
    );
  }
  const { rows: running } = await sql<{ agentId: string }>`
    select source.agent_id from executions as source
    join executions as target on ${on(scope, move, move.newDocumentId, 'target')}
      and target.agent_id = source.agent_id and target.seed_url = source.seed_url and target.status = 'running'
    where ${on(scope, move, move.documentId, 'source')} and source.status = 'running' limit 1`.execute(tx);
  if (running[0]) {
    throw new MoveRefused(`The agent ${running[0].agentId} is running on both documents for the same URL.`);
  }
}

function haveBoth(what: string, ids: string[]): MoveRefused {
  const some = ids.sort().slice(0, 5).join(', ');
  return new MoveRefused(
    `Both documents have ${what} of the same id: ${some}${ids.length > 5 ? ' and more' : ''}.`,
  );
}

/** Waits for what is being written in them, in the order in which it is written. */
const lockEditors = (tx: Tx, scope: Scope, move: Move) =>
  sql`select 1 from crdt_editors where ${on(scope, move, move.documentId)}
    order by editor_id collate "C" for update`.execute(tx);

/** Who had written in what was deleted on either document must not bring it back on the new one. */
async function moveEditorDeletions(tx: Tx, scope: Scope, move: Move): Promise<void> {
  await sql`
    insert into crdt_deletions (api_key_id, organization_id, document_id, editor_id, client_ids, deleted_at)
    select api_key_id, organization_id, ${move.newDocumentId}, editor_id, client_ids, deleted_at
    from crdt_deletions where ${on(scope, move, move.documentId)}
    on conflict (api_key_id, organization_id, document_id, editor_id) do update
      set client_ids = ${bothClientIds(sql`crdt_deletions.client_ids`, sql`excluded.client_ids`)},
        deleted_at = greatest(crdt_deletions.deleted_at, excluded.deleted_at)`.execute(tx);
  await sql`delete from crdt_deletions where ${on(scope, move, move.documentId)}`.execute(tx);
}

/** With their comments and views, which follow by reference. Their numbers go on behind those that are there. */
async function moveAnnotations(
  tx: Tx,
  scope: Scope,
  move: Move,
  annotationIds: string[],
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ documentId: string; next: number }>`
    select document_id, next_annotation_number as next from documents
    where ${on(scope, move, move.documentId)} or ${on(scope, move, move.newDocumentId)}`.execute(tx);
  const next = new Map(rows.map((row) => [row.documentId, row.next]));
  const added = next.get(move.newDocumentId)! - 1;
  await inParts(annotationIds, (part) => {
    signal.throwIfAborted();
    return sql`update annotations set document_id = ${move.newDocumentId}, annotation_number = annotation_number + ${added}
      where ${on(scope, move, move.documentId)} and annotation_id = any(${part})`.execute(tx);
  });
  await sql`update documents set next_annotation_number = ${next.get(move.documentId)! + added}
    where ${on(scope, move, move.newDocumentId)}`.execute(tx);
}

interface Table {
  name: keyof typeof documentTables;
  id: string;
}

const idsOn = async (tx: Tx, scope: Scope, move: Move, { name, id }: Table): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select ${sql.ref(id)} as id from ${sql.table(name)}
    where ${on(scope, move, move.documentId)}`.execute(tx);
  return rows.map((row) => row.id);
};

/** Of two rows about the same thing the newer one stays. */
async function moveNewer(tx: Tx, scope: Scope, move: Move, { name, id }: Table): Promise<void> {
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

/** Nobody gets more on a document than they were granted there: where both grant something, the new one's counts. */
async function moveGrants(tx: Tx, { apiKeyId }: Scope, move: Move): Promise<void> {
  const of = (alias: string, documentId: string) => sql`${sql.ref(`${alias}.api_key_id`)} = ${apiKeyId}
    and ${sql.ref(`${alias}.organization_id`)} = ${move.organizationId}
    and ${sql.ref(`${alias}.resource_type`)} = 'document' and ${sql.ref(`${alias}.resource_id`)} = ${documentId}`;
  await sql`delete from grants as gone using grants as kept
    where ${of('gone', move.documentId)} and ${of('kept', move.newDocumentId)} and gone.user_id = kept.user_id
  `.execute(tx);
  await sql`update grants set resource_id = ${move.newDocumentId}
    where ${of('grants', move.documentId)}`.execute(tx);
}
