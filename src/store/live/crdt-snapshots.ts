import { sql } from 'kysely';
import type { LiveTables } from '../../db/tables/live-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import { notFound, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Snapshot } from '../../shapes/crdt.ts';
import { withBytesInPieces } from '../platform/bytes-in-pieces.ts';
import type { EditorRef } from './crdt-editors.ts';

export const MAX_SNAPSHOTS = 1_000;

const snapshotMissing = () => notFound('No snapshot found for this ID.');

const keyOf = ({ apiKeyId }: Scope, { organizationId, documentId, editorId }: EditorRef) => ({
  apiKeyId,
  organizationId,
  documentId,
  editorId,
});

/** Stores a snapshot of a locked editor. Throws RESOURCE_EXHAUSTED at `MAX_SNAPSHOTS`. */
export async function addSnapshot(
  tx: Tx,
  scope: Scope,
  editor: EditorRef,
  { name, createdBy, state }: { name: string | undefined; createdBy: string | undefined; state: Uint8Array },
): Promise<Snapshot> {
  const key = keyOf(scope, editor);
  const { many, latest } = await tx
    .selectFrom('crdtSnapshots')
    .select((eb) => [eb.fn.countAll<number>().as('many'), eb.fn.max('createdAt').as('latest')])
    .where((eb) => eb.and(key))
    .executeTakeFirstOrThrow();
  if (many >= MAX_SNAPSHOTS) {
    throw resourceExhausted(`An editor can have at most ${MAX_SNAPSHOTS} snapshots. Delete some first.`);
  }
  // Snapshots are listed by time, so two within a millisecond must differ.
  const createdAt = Math.max(Date.now(), (latest ?? 0) + 1);
  const row = {
    snapshotId: newId('snapshot'),
    name: name ?? new Date(createdAt).toISOString(),
    createdAt,
    createdBy: createdBy ?? null,
  };
  await tx
    .insertInto('crdtSnapshots')
    .values({ ...key, ...row, state })
    .execute();
  return { ...row, bytes: state.length };
}

const listed = ['snapshotId', 'name', 'createdAt', 'createdBy'] as const;
const bytes = sql<number>`octet_length(state)`.as('bytes');

/** One page of an editor's snapshots, newest first, after a position (keyset pagination). */
export async function listSnapshots(
  db: Db,
  scope: Scope,
  editor: EditorRef,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<Snapshot[]> {
  let query = db
    .selectFrom('crdtSnapshots')
    .select([...listed, bytes])
    .where((eb) => eb.and(keyOf(scope, editor)));
  if (after) {
    query = query.where(sql<boolean>`(created_at, snapshot_id) < (cast(${after[0]} as bigint), ${after[1]})`);
  }
  return await query.orderBy('createdAt', 'desc').orderBy('snapshotId', 'desc').limit(limit).execute();
}

export type SnapshotWithState = Snapshot & Pick<LiveTables['crdtSnapshots'], 'state'>;

type FoundSnapshot = SnapshotWithState & Pick<LiveTables['crdtEditors'], 'type' | 'contentKey'>;

/** A snapshot with its state, and the declared type of its editor. Throws NOT_FOUND. */
export async function requireSnapshot(
  db: Db,
  scope: Scope,
  editor: EditorRef,
  snapshotId: string,
): Promise<FoundSnapshot> {
  const query = db
    .selectFrom('crdtSnapshots')
    .innerJoin('crdtEditors', (join) =>
      join
        .onRef('crdtEditors.apiKeyId', '=', 'crdtSnapshots.apiKeyId')
        .onRef('crdtEditors.organizationId', '=', 'crdtSnapshots.organizationId')
        .onRef('crdtEditors.documentId', '=', 'crdtSnapshots.documentId')
        .onRef('crdtEditors.editorId', '=', 'crdtSnapshots.editorId'),
    )
    .select(['snapshotId', 'name', 'crdtSnapshots.createdAt', 'createdBy', 'state', bytes])
    .select(['type', 'contentKey'])
    .where((eb) =>
      eb.and([
        eb('crdtSnapshots.apiKeyId', '=', scope.apiKeyId),
        eb('crdtSnapshots.organizationId', '=', editor.organizationId),
        eb('crdtSnapshots.documentId', '=', editor.documentId),
        eb('crdtSnapshots.editorId', '=', editor.editorId),
        eb('crdtSnapshots.snapshotId', '=', snapshotId),
      ]),
    );
  const [row] = await withBytesInPieces(db, sql<FoundSnapshot>`select * from ${query} as found`, {
    bytes: ['state'],
    others: ['snapshot_id', 'name', 'created_at', 'created_by', 'bytes', 'type', 'content_key'],
  });
  if (!row) throw snapshotMissing();
  return row;
}

export async function deleteSnapshot(
  tx: Tx,
  scope: Scope,
  editor: EditorRef,
  snapshotId: string,
): Promise<void> {
  const row = await tx
    .deleteFrom('crdtSnapshots')
    .where((eb) => eb.and({ ...keyOf(scope, editor), snapshotId }))
    .returning('snapshotId')
    .executeTakeFirst();
  if (!row) throw snapshotMissing();
}
