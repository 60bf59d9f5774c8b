import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { KnowledgeTables } from '../../db/tables/knowledge-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { failedPrecondition, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { markForDeletion, unmarkForDeletion } from './knowledge-trash.ts';

export type UploadRow = KnowledgeTables['knowledgeUploads'];
type UploadRef = { apiKeyId: string; uploadId: string };

export const UPLOAD_KEPT_MS = 15 * 60_000;
const MAX_OUTSTANDING = 50;
/** Time for which the fate of an upload stays known. */
const REMEMBERED_MS = 24 * 3_600_000;

/** Reserves an upload, to be filled within 15 minutes. */
export async function createUpload(
  tx: Tx,
  { apiKeyId }: Scope,
  upload: Pick<UploadRow, 'organizationId' | 'documentId' | 'fileName' | 'mimeType' | 'byteSize'>,
): Promise<{ uploadId: string; expiresAt: number }> {
  // Serialized by an advisory lock, so that concurrent requests do not exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`knowledge uploads ${apiKeyId}`}, 0))`.execute(
    tx,
  );
  const now = Date.now();
  const { many, nextEnd } = await tx
    .selectFrom('knowledgeUploads')
    .select((eb) => [
      eb.fn.countAll<number>().as('many'),
      eb.fn.min<number | null>('expiresAt').as('nextEnd'),
    ])
    .where('apiKeyId', '=', apiKeyId)
    .where('ingestedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  if (many >= MAX_OUTSTANDING) {
    throw resourceExhausted(
      `${MAX_OUTSTANDING} uploads are outstanding. Ingest them, or wait until they expire.`,
      Math.ceil(((nextEnd ?? now) - now) / 1_000),
    );
  }
  const uploadId = newId('upl');
  const expiresAt = now + UPLOAD_KEPT_MS;
  await tx
    .insertInto('knowledgeUploads')
    .values({ apiKeyId, uploadId, ...upload, blobKey: null, createdAt: now, expiresAt, ingestedAt: null })
    .execute();
  return { uploadId, expiresAt };
}

export const getUpload = (db: Db, { apiKeyId, uploadId }: UploadRef): Promise<UploadRow | undefined> =>
  db
    .selectFrom('knowledgeUploads')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('uploadId', '=', uploadId)
    .executeTakeFirst();

/** Records the stored file; false if the upload has expired or is filled already. */
export const fillUpload = (db: Db, ref: UploadRef, blobKey: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('knowledgeUploads')
      .set({ blobKey })
      .where('apiKeyId', '=', ref.apiKeyId)
      .where('uploadId', '=', ref.uploadId)
      .where('blobKey', 'is', null)
      .where('expiresAt', '>', Date.now())
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await unmarkForDeletion(tx, ref, blobKey);
    return true;
  });

/** The error for an upload that cannot be ingested; otherwise undefined. */
export function uploadProblem({ blobKey, expiresAt, ingestedAt }: UploadRow): Error | undefined {
  if (ingestedAt !== null) return failedPrecondition('The file of this fileRef was ingested already.');
  if (expiresAt <= Date.now())
    return failedPrecondition('The fileRef has expired. Ask for a new upload URL.');
  if (blobKey === null) return failedPrecondition('No file was uploaded for this fileRef yet.');
  return undefined;
}

/** Marks an upload as ingested; its file belongs to a source from now on. */
export async function takeUpload(tx: Tx, ref: UploadRef): Promise<void> {
  const row = await tx
    .selectFrom('knowledgeUploads')
    .selectAll()
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('uploadId', '=', ref.uploadId)
    .forUpdate()
    .executeTakeFirst();
  const objection = row ? uploadProblem(row) : failedPrecondition('The fileRef has expired.');
  if (objection) throw objection;
  await tx
    .updateTable('knowledgeUploads')
    .set({ ingestedAt: Date.now() })
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('uploadId', '=', ref.uploadId)
    .execute();
}

const prunedRow = z.object({ apiKeyId: z.string(), blobKey: z.string() });

/** Marks files that were never ingested for deletion, and deletes uploads that ended a day ago. */
export async function pruneUploads(db: Db, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await rowsOf(
      tx,
      prunedRow,
      sql`
      update knowledge_uploads as uploads set blob_key = null
      from (select api_key_id, upload_id, blob_key from knowledge_uploads
        where expires_at <= cast(${now} as bigint) and ingested_at is null and blob_key is not null
        for update) as ended
      where uploads.api_key_id = ended.api_key_id and uploads.upload_id = ended.upload_id
      returning ended.api_key_id, ended.blob_key`,
    );
    for (const { apiKeyId, blobKey } of rows) await markForDeletion(tx, { apiKeyId }, [blobKey], now);
  });
  await db
    .deleteFrom('knowledgeUploads')
    .where('expiresAt', '<=', now - REMEMBERED_MS)
    .execute();
}
