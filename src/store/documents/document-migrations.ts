import { sql } from 'kysely';
import { isTransient } from '../../db/database-errors.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { deleteStartedJobs, hasWaitingJob } from '../../jobs/waiting.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { lockDocument } from './documents.ts';
import { type Move, MoveDisturbed, MoveRefused, moveDocument, prepareMove } from './move-document.ts';
import { lockStructure } from './organizations.ts';

export type MigrationRow = DocumentTables['documentMigrations'];
export type MigrationRef = Scope & { organizationId: string; migrationId: string };

const UNFINISHED = ['pending', 'in_progress'] as const;
/** Attempts within one job, for transient failures. */
const MAX_TRIES = 5;
/** Jobs that may begin before the migration fails. */
const MAX_ATTEMPTS = 10;
/** Silence after which an unlocked, unfinished migration has lost its process or its job. */
const SILENT_MS = 15_000;

/** Records that a document is to get another id, and enqueues the job that does it. */
export async function startMigration(tx: Tx, jobs: Jobs, scope: Scope, move: Move): Promise<string> {
  const { organizationId, documentId, newDocumentId } = move;
  await lockStructure(tx, scope, organizationId);
  await lockDocument(tx, scope, { organizationId, documentId }, { create: false });
  const ids = [documentId, newDocumentId];
  const other = await tx
    .selectFrom('documentMigrations')
    .select('migrationId')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('status', 'in', UNFINISHED)
    .where((eb) => eb.or([eb('documentId', 'in', ids), eb('newDocumentId', 'in', ids)]))
    .executeTakeFirst();
  if (other) throw failedPrecondition(`The migration ${other.migrationId} of one of these is under way.`);
  const migrationId = newId('mig');
  const now = Date.now();
  await tx
    .insertInto('documentMigrations')
    .values({
      apiKeyId: scope.apiKeyId,
      migrationId,
      ...move,
      status: 'pending',
      error: null,
      attempts: 0,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  await jobs.enqueue(tx, 'document.migrate', { ...scope, organizationId, migrationId });
  return migrationId;
}

export async function requireMigration(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  migrationId: string,
): Promise<MigrationRow> {
  const row = await db
    .selectFrom('documentMigrations')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('migrationId', '=', migrationId)
    .executeTakeFirst();
  if (!row) throw notFound('Migration does not exist');
  return row;
}

/** The id that a document got by a migration since a time; undefined if there was none. */
export async function findNewId(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  since: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('documentMigrations')
    .select('newDocumentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('status', '=', 'completed')
    .where('updatedAt', '>=', since)
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.newDocumentId;
}

const ofRef = (db: Db, { apiKeyId, organizationId, migrationId }: MigrationRef) =>
  db
    .updateTable('documentMigrations')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('migrationId', '=', migrationId)
    .where('status', 'in', UNFINISHED);

/** Runs a migration until it is completed or has failed; does nothing if it has ended already. */
export async function runMigration(db: Db, ref: MigrationRef, signal: AbortSignal): Promise<void> {
  const begun = await ofRef(db, ref)
    .set((eb) => ({ status: 'in_progress', attempts: eb('attempts', '+', 1), updatedAt: Date.now() }))
    .returning(['organizationId', 'documentId', 'newDocumentId', 'attempts'])
    .executeTakeFirst();
  if (!begun) return;
  try {
    await prepareMove(db, ref, begun);
    await moveInTransaction(db, ref, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof MoveRefused) return await fail(db, ref, error.message);
    if (begun.attempts >= MAX_ATTEMPTS) await fail(db, ref, `It was given up after ${MAX_ATTEMPTS} tries.`);
    throw error;
  }
}

async function moveInTransaction(db: Db, ref: MigrationRef, signal: AbortSignal): Promise<void> {
  const once = async (tx: Tx) => {
    // The update locks the row until the move commits, so that no other process runs or requeues the migration.
    const done = await ofRef(tx, ref)
      .set({ status: 'completed', updatedAt: Date.now() })
      .returning(['organizationId', 'documentId', 'newDocumentId'])
      .executeTakeFirst();
    if (!done) return;
    await moveDocument(tx, ref, done, signal);
    await emit(tx, ref, 'document.migrate', { ...done, migrationId: ref.migrationId });
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(once);
    } catch (error) {
      const again = isTransient(error) || error instanceof MoveDisturbed;
      if (!again || attempt === MAX_TRIES || signal.aborted) throw error;
    }
  }
}

const fail = async (db: Db, ref: MigrationRef, error: string): Promise<void> => {
  await ofRef(db, ref).set({ status: 'failed', error, updatedAt: Date.now() }).execute();
};

/** Requeues migrations that lost their process or job. At the start of a database's only process, these are all. */
export const takeUpMigrations = (db: Db, jobs: Jobs, silentMs = SILENT_MS): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const rows = await tx
      .selectFrom('documentMigrations')
      .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'documentMigrations.apiKeyId')
      .select([
        'apiKeys.workspaceId',
        'documentMigrations.apiKeyId',
        'documentMigrations.organizationId',
        'documentMigrations.migrationId',
      ])
      .where('documentMigrations.status', 'in', UNFINISHED)
      .where('documentMigrations.updatedAt', '<=', now - silentMs)
      .where((eb) => eb.not(hasWaitingJob('document.migrate', sql.ref('document_migrations.migration_id'))))
      .orderBy('documentMigrations.updatedAt')
      .limit(100)
      .forUpdate('documentMigrations')
      .skipLocked()
      .execute();
    for (const ref of rows) {
      await ofRef(tx, ref).set({ updatedAt: now }).execute();
      await deleteStartedJobs(tx, 'document.migrate', ref.migrationId);
      await jobs.enqueue(tx, 'document.migrate', ref, { isReturned: true });
    }
    return rows.map((row) => row.migrationId);
  });
