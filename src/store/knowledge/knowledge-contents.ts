import { sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { KnowledgeTables } from '../../db/tables/knowledge-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { dropBegun, waitsFor } from '../../jobs/waiting.ts';
import { newId, randomId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { markForDeletion, unmarkForDeletion } from './knowledge-trash.ts';

type Content = KnowledgeTables['knowledgeContents'];
export type ContentRef = Scope & { contentId: string };

/** What somebody works on, and the name under which they hold it. */
export type LeasedContent = ContentRef & { heldBy: string } & Pick<
    Content,
    'mimeType' | 'blobKey' | 'status'
  > & { attempts: number; isRead: boolean };

/** How long one that nobody renewed is held, and how long a job may wait for its turn. */
const HELD_MS = 60_000;
export const RENEW_MS = 15_000;

export interface NewSource {
  sourceId: string;
  organizationId: string;
  documentId: string;
  fileName: string;
}
export type KeptFile = Pick<Content, 'sha256' | 'mimeType' | 'byteSize' | 'blobKey'>;

/**
 * Writes a source of a file that is kept already, and has the file read in the background. Where a source of the
 * same file is there, the new one shares what that one holds, and the file is thrown away.
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
      dueAt: now + HELD_MS,
      kind: null,
      markdown: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['apiKeyId', 'sha256', 'mimeType'])
        .where(condition`status <> 'failed' and version = 1`)
        .doNothing(),
    )
    .returning('contentId')
    .executeTakeFirst();
  const shared = made ? undefined : await holdContentOfFile(tx, scope, file);
  // It went or changed in this very moment; now there is room for one of its own.
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

/** Held until the transaction ends, so that it does not go before the new source refers to it. */
async function holdContentOfFile(tx: Tx, { apiKeyId }: Scope, { sha256, mimeType }: KeptFile) {
  const content = await tx
    .selectFrom('knowledgeContents')
    .select('contentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('sha256', '=', sha256)
    .where('mimeType', '=', mimeType)
    .where(condition`status <> 'failed' and version = 1`)
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

const ofRef = (db: Db, { apiKeyId, contentId }: Omit<ContentRef, 'workspaceId'>) =>
  db.updateTable('knowledgeContents').where('apiKeyId', '=', apiKeyId).where('contentId', '=', contentId);

const ofHeld = (db: Db, held: LeasedContent) => ofRef(db, held).where('heldBy', '=', held.heldBy);

/** Takes a content to work on it; undefined where another process has it, or there is nothing to be done. */
export async function leaseContent(
  db: Db,
  ref: ContentRef,
  model: string,
): Promise<LeasedContent | undefined> {
  const now = Date.now();
  const heldBy = randomId();
  const row = await ofRef(db, ref)
    .where((eb) => eb.or([eb('heldBy', '=', ''), eb('dueAt', '<=', now)]))
    .where((eb) =>
      eb.or([
        eb('status', '=', 'processing'),
        eb.and([eb('status', '=', 'completed'), eb('embeddedWith', '<>', model)]),
      ]),
    )
    .set((eb) => ({ heldBy, dueAt: now + HELD_MS, attempts: eb('attempts', '+', 1) }))
    .returning(['mimeType', 'blobKey', 'status', 'attempts'])
    .returning((eb) => eb('markdown', 'is not', null).as('isRead'))
    .executeTakeFirst();
  return row && { ...ref, ...row, isRead: Boolean(row.isRead), heldBy };
}

/** False where it is held no longer, or is gone: what was worked on must not be written. */
export async function renewContentLease(db: Db, held: LeasedContent): Promise<boolean> {
  const { numUpdatedRows } = await ofHeld(db, held)
    .set({ dueAt: Date.now() + HELD_MS })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes what was read, whose items are written already. */
export async function noteRead(
  db: Db,
  held: LeasedContent,
  read: Pick<Content, 'kind' | 'markdown'> & { notes: string[]; ruleCount: number; chunkCount: number },
): Promise<boolean> {
  const { numUpdatedRows } = await ofHeld(db, held)
    .set({ ...read, notes: json(read.notes), dueAt: Date.now() + HELD_MS, updatedAt: Date.now() })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** All its items have vectors of the model: from now on it is found. */
export async function completeContent(db: Db, held: LeasedContent, model: string): Promise<void> {
  await ofHeld(db, held)
    .set({
      status: 'completed',
      embeddedWith: model,
      heldBy: '',
      attempts: 0,
      // Another model for what is found already changes nothing of what it says.
      ...(held.status === 'processing' && { updatedAt: Date.now() }),
    })
    .execute();
}

export async function failContent(
  db: Db,
  held: LeasedContent,
  reason: string,
  message: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await ofHeld(tx, held)
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
      .where('apiKeyId', '=', held.apiKeyId)
      .where('contentId', '=', held.contentId)
      .execute();
  });
}

/** Lets go of it until it is taken up again; what was no fault of it counts as no attempt. */
export async function postponeContent(
  db: Db,
  held: LeasedContent,
  forMs: number,
  { counts }: { counts: boolean },
): Promise<void> {
  await ofHeld(db, held)
    .set({
      heldBy: '',
      dueAt: Date.now() + forMs,
      attempts: counts ? held.attempts : held.attempts - 1,
    })
    .execute();
}

/** At the start of a database's only process: whoever held something is gone. */
export async function releaseContents(db: Db): Promise<void> {
  await db
    .updateTable('knowledgeContents')
    .set({ heldBy: '', dueAt: 0 })
    .where('status', '=', 'processing')
    .execute();
}

/**
 * Enqueues what is due: files whose process or job was lost or that were put off, and what has vectors of another
 * model than today's. Answers the ids of the contents.
 */
export const requeueKnowledge = (db: Db, jobs: Jobs, model: string): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const { rows } = await sql<ContentRef>`
      select api_keys.workspace_id, contents.api_key_id, contents.content_id
      from knowledge_contents as contents join api_keys on api_keys.api_key_id = contents.api_key_id
      where contents.due_at <= cast(${now} as bigint)
        and (contents.status = 'processing' or (contents.status = 'completed'
          and (contents.embedded_with < ${model} or contents.embedded_with > ${model})))
        and not ${waitsFor('memory.knowledge_ingest', sql.ref('contents.content_id'))}
      order by contents.due_at limit 20 for update of contents skip locked`.execute(tx);
    for (const ref of rows) {
      await ofRef(tx, ref)
        .set({ heldBy: '', dueAt: now + HELD_MS })
        .execute();
      await dropBegun(tx, 'memory.knowledge_ingest', ref.contentId);
      await jobs.enqueue(tx, 'memory.knowledge_ingest', ref, { isContinued: true });
    }
    return rows.map(({ contentId }) => contentId);
  });
