import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { KnowledgeTables } from '../../db/tables/knowledge-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { deleteStartedJobs, hasWaitingJob } from '../../jobs/waiting.ts';
import { newId, randomId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { markForDeletion, unmarkForDeletion } from './knowledge-trash.ts';

type Content = KnowledgeTables['knowledgeContents'];
export type ContentRef = Scope & { contentId: string };

/** A content with the lease of the process that works on it. */
export type LeasedContent = ContentRef & { heldBy: string } & Pick<
    Content,
    'mimeType' | 'blobKey' | 'status'
  > & { attempts: number; isRead: boolean };

/** Duration of a lease, and of the wait for a job before it is enqueued again. */
const LEASE_MS = 60_000;
export const RENEW_MS = 15_000;

export interface NewSource {
  sourceId: string;
  organizationId: string;
  documentId: string;
  fileName: string;
}
export type KeptFile = Pick<Content, 'sha256' | 'mimeType' | 'byteSize' | 'blobKey'>;

/**
 * Adds a source of a stored file, and enqueues its ingestion. If the API key has a source of the same file already, the
 * new one shares its content and the duplicate file is marked for deletion.
 */
export async function addKnowledgeSource(
  tx: Tx,
  jobs: Jobs,
  scope: Scope,
  source: NewSource,
  file: KeptFile,
): Promise<void> {
  const { apiKeyId } = scope;
  const now = Date.now();
  const made = await tx
    .insertInto('knowledgeContents')
    .values({
      apiKeyId,
      contentId: newId('content'),
      ...file,
      status: 'processing',
      failureReason: null,
      failureMessage: null,
      dueAt: now + LEASE_MS,
      kind: null,
      markdown: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['apiKeyId', 'sha256', 'mimeType'])
        // Literals, since the partial unique index is not matched against parameters.
        .where('status', '<>', sql.lit('failed' as const))
        .where('version', '=', sql.lit(1))
        .doNothing(),
    )
    .returning('contentId')
    .executeTakeFirst();
  const shared = made ? undefined : await lockContentOfFile(tx, scope, file);
  // The shared content was deleted or changed in between; the next attempt inserts its own.
  if (!made && !shared) return await addKnowledgeSource(tx, jobs, scope, source, file);
  if (made) await unmarkForDeletion(tx, scope, file.blobKey);
  else await markForDeletion(tx, scope, [file.blobKey], now);
  await tx
    .insertInto('knowledgeSources')
    .values({
      apiKeyId,
      ...source,
      contentId: (made ?? shared!).contentId,
      dedupOf: shared?.firstSource ?? null,
      uploadedAt: now,
    })
    .execute();
  if (made) await jobs.enqueue(tx, 'memory.knowledge_ingest', { ...scope, contentId: made.contentId });
}

/** Locked, so that it is not deleted before the new source refers to it. */
async function lockContentOfFile(tx: Tx, { apiKeyId }: Scope, { sha256, mimeType }: KeptFile) {
  const content = await tx
    .selectFrom('knowledgeContents')
    .select('contentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('sha256', '=', sha256)
    .where('mimeType', '=', mimeType)
    .where('status', '<>', sql.lit('failed' as const))
    .where('version', '=', sql.lit(1))
    .forKeyShare()
    .executeTakeFirst();
  if (!content) return undefined;
  const first = await tx
    .selectFrom('knowledgeSources')
    .select('sourceId')
    .where('apiKeyId', '=', apiKeyId)
    .where('contentId', '=', content.contentId)
    .where('dedupOf', 'is', null)
    .executeTakeFirst();
  return { ...content, firstSource: first?.sourceId ?? null };
}

const updateContent = (db: Db, { apiKeyId, contentId }: Omit<ContentRef, 'workspaceId'>) =>
  db.updateTable('knowledgeContents').where('apiKeyId', '=', apiKeyId).where('contentId', '=', contentId);

const updateLeased = (db: Db, leased: LeasedContent) =>
  updateContent(db, leased).where('heldBy', '=', leased.heldBy);

/** Acquires the lease on a content; undefined if another process holds it or there is nothing to do. */
export async function leaseContent(
  db: Db,
  ref: ContentRef,
  model: string,
): Promise<LeasedContent | undefined> {
  const now = Date.now();
  const heldBy = randomId();
  const row = await updateContent(db, ref)
    .where((eb) => eb.or([eb('heldBy', '=', ''), eb('dueAt', '<=', now)]))
    .where((eb) =>
      eb.or([
        eb('status', '=', 'processing'),
        eb.and([eb('status', '=', 'completed'), eb('embeddedWith', '<>', model)]),
      ]),
    )
    .set((eb) => ({ heldBy, dueAt: now + LEASE_MS, attempts: eb('attempts', '+', 1) }))
    .returning(['mimeType', 'blobKey', 'status', 'attempts'])
    .returning((eb) => eb('markdown', 'is not', null).as('isRead'))
    .executeTakeFirst();
  return row && { ...ref, ...row, isRead: Boolean(row.isRead), heldBy };
}

/** Renews the lease. False if it was lost or the content deleted: nothing more may be written. */
export async function renewContentLease(db: Db, leased: LeasedContent): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(db, leased)
    .set({ dueAt: Date.now() + LEASE_MS })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the text, whose items are written already. */
export async function noteRead(
  db: Db,
  leased: LeasedContent,
  read: Pick<Content, 'kind' | 'markdown'> & { notes: string[]; ruleCount: number; chunkCount: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(db, leased)
    .set({ ...read, notes: json(read.notes), dueAt: Date.now() + LEASE_MS, updatedAt: Date.now() })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks the content as completed: all items are embedded, and it becomes searchable. */
export async function completeContent(db: Db, leased: LeasedContent, model: string): Promise<void> {
  await updateLeased(db, leased)
    .set({
      status: 'completed',
      embeddedWith: model,
      heldBy: '',
      attempts: 0,
      // Re-embedding changes nothing of the text.
      ...(leased.status === 'processing' && { updatedAt: Date.now() }),
    })
    .execute();
}

export async function failContent(
  db: Db,
  leased: LeasedContent,
  reason: string,
  message: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await updateLeased(tx, leased)
      .where('status', '=', 'processing')
      .set({
        status: 'failed',
        failureReason: reason,
        failureMessage: message,
        heldBy: '',
        markdown: null,
        kind: null,
        ruleCount: 0,
        chunkCount: 0,
        updatedAt: Date.now(),
      })
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return;
    await tx
      .deleteFrom('knowledgeItems')
      .where('apiKeyId', '=', leased.apiKeyId)
      .where('contentId', '=', leased.contentId)
      .execute();
  });
}

/** Releases the lease until a later attempt. `counts` tells if the attempt counts as a failed one. */
export async function postponeContent(
  db: Db,
  leased: LeasedContent,
  forMs: number,
  { counts }: { counts: boolean },
): Promise<void> {
  await updateLeased(db, leased)
    .set({
      heldBy: '',
      dueAt: Date.now() + forMs,
      attempts: counts ? leased.attempts : leased.attempts - 1,
    })
    .execute();
}

/** Releases all leases. For a start with a single process, when they are left over from a crash. */
export async function releaseContents(db: Db): Promise<void> {
  await db
    .updateTable('knowledgeContents')
    .set({ heldBy: '', dueAt: 0 })
    .where('status', '=', 'processing')
    .execute();
}

/**
 * Requeues contents that are due: those with an expired lease, a lost job or a scheduled retry, and those with vectors
 * of another model. Returns their ids.
 */
export const requeueKnowledge = (db: Db, jobs: Jobs, model: string): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const rows = await tx
      .selectFrom('knowledgeContents as contents')
      .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'contents.apiKeyId')
      .select(['apiKeys.workspaceId', 'contents.apiKeyId', 'contents.contentId'])
      .where('contents.dueAt', '<=', now)
      .where((eb) =>
        eb.or([
          eb('contents.status', '=', sql.lit('processing' as const)),
          eb.and([
            eb('contents.status', '=', sql.lit('completed' as const)),
            eb.or([eb('contents.embeddedWith', '<', model), eb('contents.embeddedWith', '>', model)]),
          ]),
        ]),
      )
      .where((eb) => eb.not(hasWaitingJob('memory.knowledge_ingest', sql.ref('contents.content_id'))))
      .orderBy('contents.dueAt')
      .limit(20)
      .forUpdate('contents')
      .skipLocked()
      .execute();
    for (const ref of rows) {
      await updateContent(tx, ref)
        .set({ heldBy: '', dueAt: now + LEASE_MS })
        .execute();
      await deleteStartedJobs(tx, 'memory.knowledge_ingest', ref.contentId);
      await jobs.enqueue(tx, 'memory.knowledge_ingest', ref, { isContinued: true });
    }
    return rows.map(({ contentId }) => contentId);
  });
