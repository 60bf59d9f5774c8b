import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { shownTo } from '../annotations/annotation-filter.ts';
import type { AttachmentRow } from '../attachments/attachments.ts';

export interface AttachmentFilter extends DocumentRef {
  attachmentId?: string | undefined;
  annotationId?: string | undefined;
  commentId?: number | undefined;
  /** True for files that a comment holds, false for the others; both by default. */
  attached?: boolean | undefined;
}

/** True for files of comments that the reader may see, and for the reader's own that no comment holds yet. */
const seenBy = (reader: Reader | undefined): RawBuilder<SqlBool> =>
  reader === undefined
    ? condition`true`
    : condition`case when attachments.comment_id is null then attachments.uploader_id = ${reader.userId}
        else exists (select 1 from annotations where annotations.api_key_id = attachments.api_key_id
          and annotations.organization_id = attachments.organization_id
          and annotations.document_id = attachments.document_id
          and annotations.annotation_id = attachments.annotation_id and ${shownTo(reader)}
          -- Keeps PostgreSQL from hashing all annotations instead of looking up those of the rows.
          offset 0) end`;

/** Attachments of a document that a reader may see, newest first; undefined as the reader sees all. */
export async function listAttachments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, attachmentId, annotationId, commentId, attached }: AttachmentFilter,
  reader: Reader | undefined,
  { after, limit }: { after?: Position | undefined; limit: number },
): Promise<AttachmentRow[]> {
  let query = db
    .selectFrom('attachments')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where(condition`(used_at is null or comment_id is not null)`)
    .where(seenBy(reader));
  if (attachmentId !== undefined) query = query.where('attachmentId', '=', attachmentId);
  if (annotationId !== undefined) query = query.where('annotationId', '=', annotationId);
  // Without the condition, the index by comment would not serve.
  if (annotationId !== undefined) query = query.where('commentId', 'is not', null);
  if (commentId !== undefined) query = query.where('commentId', '=', commentId);
  if (attached !== undefined) query = query.where('commentId', attached ? 'is not' : 'is', null);
  if (after) {
    const [createdAt, id] = after;
    query = query.where(
      condition`(created_at, attachment_id) < (${sql`cast(${Number(createdAt)} as bigint)`}, ${String(id)})`,
    );
  }
  return await query.orderBy('createdAt', 'desc').orderBy('attachmentId', 'desc').limit(limit).execute();
}
