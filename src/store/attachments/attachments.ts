import { sql } from 'kysely';
import { z } from 'zod';
import type { AttachmentFacts } from '../../annotations/attachment-record.ts';
import { anyOf, condition, rowsOf } from '../../db/sql-fragments.ts';
import type { AttachmentTables } from '../../db/tables/attachment-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationRef, DocumentRef } from '../../shapes/refs.ts';
import { markForDeletion, unmarkForDeletion } from '../knowledge/knowledge-trash.ts';

export type AttachmentRow = AttachmentTables['attachments'];
type Key = Pick<Scope, 'apiKeyId'>;
type AttachmentRef = { apiKeyId: string; attachmentId: string };

export const UPLOAD_WITHIN_MS = 15 * 60_000;
/** Time after which a file is deleted that no comment took. */
const UNUSED_KEPT_MS = 24 * 3_600_000;
/** Files that no comment has taken yet, of one user and of an API key. */
const MAX_UNUSED = { user: 100, apiKey: 1_000 };
const BATCH = 500;

/** False once the comment that held the file or its document is deleted: the row only waits for its removal. */
const isThere = condition`document_id is not null and (used_at is null or comment_id is not null)`;
const isGone = condition`(document_id is null or (used_at is not null and comment_id is null))`;

export interface NewAttachment extends DocumentRef {
  /** Null for an API key. */
  uploaderId: string | null;
  fileName: string;
  mimeType: string;
  byteSize: number;
}

/** Announces a file on a locked document. Throws RESOURCE_EXHAUSTED if too many wait for a comment. */
export async function createAttachment(
  tx: Tx,
  { apiKeyId }: Key,
  announced: NewAttachment,
): Promise<{ attachmentId: string; uploadUntil: number }> {
  const { uploaderId } = announced;
  // Serialized by an advisory lock, so that concurrent requests do not exceed the limit together.
  const lock = JSON.stringify(['attachments', apiKeyId, uploaderId]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const { many } = await tx
    .selectFrom('attachments')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('apiKeyId', '=', apiKeyId)
    .where('uploaderId', uploaderId === null ? 'is' : '=', uploaderId)
    .where('commentId', 'is', null)
    .executeTakeFirstOrThrow();
  const max = uploaderId === null ? MAX_UNUSED.apiKey : MAX_UNUSED.user;
  if (many >= max) {
    throw resourceExhausted(
      `${max} attachments are in no comment yet. Use or delete some; each is deleted a day after its announcement.`,
      600,
    );
  }
  const attachmentId = newId('att');
  const now = Date.now();
  const uploadUntil = now + UPLOAD_WITHIN_MS;
  await tx
    .insertInto('attachments')
    .values({
      apiKeyId,
      attachmentId,
      ...announced,
      annotationId: null,
      commentId: null,
      width: null,
      height: null,
      blobKey: null,
      createdAt: now,
      uploadUntil,
      uploadedAt: null,
      usedAt: null,
    })
    .execute();
  return { attachmentId, uploadUntil };
}

/** An attachment; undefined if it does not exist or waits for its removal. */
export const getAttachment = (
  db: Db,
  { apiKeyId, attachmentId }: AttachmentRef,
): Promise<AttachmentRow | undefined> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('attachmentId', '=', attachmentId)
    .where(isThere)
    .executeTakeFirst();

/** Records the stored file; false if the time is over, a file is there already, or the document is gone. */
export const fillAttachment = (
  db: Db,
  ref: AttachmentRef,
  { blobKey, width, height }: { blobKey: string; width: number | null; height: number | null },
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const now = Date.now();
    const { numUpdatedRows } = await tx
      .updateTable('attachments')
      .set({ blobKey, width, height, uploadedAt: now })
      .where('apiKeyId', '=', ref.apiKeyId)
      .where('attachmentId', '=', ref.attachmentId)
      .where('blobKey', 'is', null)
      .where('uploadUntil', '>', now)
      .where(isThere)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await unmarkForDeletion(tx, ref, blobKey);
    return true;
  });

export type FoundAttachment = AttachmentFacts &
  Pick<AttachmentRow, 'annotationId' | 'commentId' | 'uploaderId' | 'uploadedAt'>;

/** The attachments of a document among these ids. */
export const findAttachments = (
  db: Db,
  { apiKeyId }: Key,
  { organizationId, documentId }: DocumentRef,
  attachmentIds: readonly string[],
): Promise<FoundAttachment[]> =>
  db
    .selectFrom('attachments')
    .select(['attachmentId', 'fileName', 'mimeType', 'byteSize', 'width', 'height'])
    .select(['annotationId', 'commentId', 'uploaderId', 'uploadedAt'])
    .where('apiKeyId', '=', apiKeyId)
    .where('attachmentId', '=', anyOf(attachmentIds))
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where(isThere)
    .execute();

/** The files that a comment holds from now on. */
export interface Holding extends AnnotationRef {
  commentId: number;
  attachmentIds: readonly string[];
}

/**
 * Gives files to a stored comment, which may hold some of them already. Returns false if another comment has taken one
 * meanwhile, or one is gone: the transaction must then be undone.
 */
export async function holdAttachments(tx: Tx, { apiKeyId }: Key, holding: Holding): Promise<boolean> {
  const { organizationId, documentId, annotationId, commentId, attachmentIds } = holding;
  if (attachmentIds.length === 0) return true;
  const { numUpdatedRows } = await tx
    .updateTable('attachments')
    .set({ annotationId, commentId, usedAt: Date.now() })
    .where('apiKeyId', '=', apiKeyId)
    .where('attachmentId', '=', anyOf(attachmentIds))
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('uploadedAt', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('usedAt', 'is', null),
        eb.and([eb('annotationId', '=', annotationId), eb('commentId', '=', commentId)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === BigInt(attachmentIds.length);
}

/** Lets go of the files of comments, except those named; they are deleted soon. */
export async function releaseAttachments(
  tx: Tx,
  { apiKeyId }: Key,
  { organizationId, documentId, annotationId }: AnnotationRef,
  commentIds: readonly number[],
  kept: readonly string[],
): Promise<void> {
  await tx
    .updateTable('attachments')
    .set({ annotationId: null, commentId: null })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', annotationId)
    .where('commentId', '=', sql<number>`any(cast(${[...commentIds]} as bigint[]))`)
    .where(condition`attachment_id <> all(cast(${[...kept]} as text[]))`)
    .execute();
}

/** Gives up a file that no comment holds; false if one has taken it meanwhile. */
export async function giveUpAttachment(tx: Tx, { apiKeyId, attachmentId }: AttachmentRef): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('attachments')
    .set({ usedAt: Date.now() })
    .where('apiKeyId', '=', apiKeyId)
    .where('attachmentId', '=', attachmentId)
    .where('commentId', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const removedRow = z.object({ apiKeyId: z.string(), blobKey: z.string().nullable() });

export interface RemovedFile {
  apiKeyId: string;
  blobKey: string;
}

/**
 * Removes the rows of attachments that are gone, or that no comment took within a day, and marks their files for
 * deletion, which the caller deletes. Nodes that do this at the same time remove different rows.
 */
export async function removeAttachments(db: Db, now: number): Promise<RemovedFile[]> {
  const removed: RemovedFile[] = [];
  for (const due of [
    isGone,
    condition`comment_id is null and created_at <= cast(${now - UNUSED_KEPT_MS} as bigint)`,
  ]) {
    for (;;) {
      const rows = await db.transaction().execute(async (tx) => {
        const found = await rowsOf(
          tx,
          removedRow,
          sql`
          delete from attachments where (api_key_id, attachment_id) in (
            select api_key_id, attachment_id from attachments where ${due}
            order by created_at limit ${BATCH} for update skip locked)
          returning api_key_id, blob_key`,
        );
        for (const { apiKeyId, blobKey } of found) {
          if (blobKey !== null) await markForDeletion(tx, { apiKeyId }, [blobKey], now);
        }
        return found;
      });
      removed.push(
        ...rows.flatMap(({ apiKeyId, blobKey }) => (blobKey === null ? [] : [{ apiKeyId, blobKey }])),
      );
      if (rows.length < BATCH) break;
    }
  }
  return removed;
}
