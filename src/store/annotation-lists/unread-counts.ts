import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';
import { isRestrictedRow, isUnrestrictedRow, shownTo } from '../annotations/annotation-filter.ts';

export interface UnreadDocument {
  documentId: string;
  annotations: number;
  comments: number;
  /** Last change of an unread annotation, in epoch milliseconds. */
  lastUpdated: number;
}

export interface UnreadPage {
  annotations: number;
  comments: number;
  documents: UnreadDocument[];
  next: Position | undefined;
}

interface UnreadPlace {
  organizationId: string;
  /** All documents of the organization by default. */
  documentIds: string[] | undefined;
}

/** Annotations that the reader may see and has not viewed since their last change, with the time of the last view. */
function unreadInSql({ apiKeyId }: Scope, { organizationId, documentIds }: UnreadPlace, reader: Reader) {
  const listed = (column: RawBuilder<unknown>) =>
    documentIds === undefined ? sql`` : sql`and ${column} in (${sql.join(documentIds)})`;
  const place = sql`annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
    ${listed(sql`annotations.document_id`)}`;
  const columns = sql`annotations.document_id, annotations.annotation_id, annotations.last_updated`;
  return sql`
    shown as (
      select ${columns} from annotations where ${place} and ${isUnrestrictedRow}
      union all
      select ${columns} from annotations where ${place} and ${isRestrictedRow} and ${shownTo(reader)}
    ), seen as materialized (
      select document_id, annotation_id, viewed_at from annotation_views
      where api_key_id = ${apiKeyId} and user_id = ${reader.userId} and organization_id = ${organizationId}
        ${listed(sql`document_id`)}
    ), unread as materialized (
      select document_id, annotation_id, shown.last_updated, coalesce(seen.viewed_at, 0) as viewed_at
      from shown left join seen using (document_id, annotation_id)
      where seen.viewed_at is null or seen.viewed_at < shown.last_updated)`;
}

/**
 * Counts what a user has not read on the documents that they may open, and lists these documents, the last changed
 * first. An unread annotation may have no unread comment: its status may have changed, or the comments are the user's own.
 */
export async function countUnread(
  db: Db,
  scope: Scope,
  place: UnreadPlace,
  reader: Reader,
  { position, size }: { position: Position; size: number },
): Promise<UnreadPage> {
  const { apiKeyId } = scope;
  const { organizationId } = place;
  const [lastUpdated, documentId] = position;
  const behind =
    documentId === undefined
      ? sql`true`
      : sql`(last_updated, document_id) < (cast(${Number(lastUpdated)} as bigint), ${String(documentId)})`;
  const { rows } = await sql<UnreadDocument & { allAnnotations: number; allComments: number }>`
    with ${unreadInSql(scope, place, reader)}, by_document as (
      select document_id, cast(count(*) as integer) as annotations, cast(sum(said.count) as integer) as comments,
        max(last_updated) as last_updated
      from unread cross join lateral (
        select count(*) from comments where comments.api_key_id = ${apiKeyId}
          and comments.organization_id = ${organizationId} and comments.document_id = unread.document_id
          and comments.annotation_id = unread.annotation_id and comments.last_updated > unread.viewed_at
          and comments.author_id <> ${reader.userId}) as said
      group by document_id
    ), readable as materialized (
      select by_document.* from by_document join documents using (document_id)
      where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
        and ${readableDocument(reader, 'documents')})
    select total.*, listed.* from (
      select cast(coalesce(sum(annotations), 0) as integer) as all_annotations,
        cast(coalesce(sum(comments), 0) as integer) as all_comments from readable) as total
    left join lateral (
      select * from readable where ${behind} order by last_updated desc, document_id desc
      limit ${sql.lit(size + 1)}) as listed on true
    order by listed.last_updated desc, listed.document_id desc`.execute(db);
  const { allAnnotations, allComments } = rows[0]!;
  const documents = rows
    .filter((row) => row.documentId !== null)
    .map(({ documentId, annotations, comments, lastUpdated }) => ({
      documentId,
      annotations,
      comments,
      lastUpdated,
    }));
  const last = documents.length > size ? documents[size - 1] : undefined;
  return {
    annotations: allAnnotations,
    comments: allComments,
    documents: documents.slice(0, size),
    next: last && [last.lastUpdated, last.documentId],
  };
}

/** Marks everything on a document that the reader may see as read. Returns the number of annotations that were unread. */
export async function markAllRead(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId }: { organizationId: string; documentId: string },
  reader: Reader,
): Promise<number> {
  const place = { organizationId, documentIds: [documentId] };
  const { numAffectedRows } = await sql`
    with ${unreadInSql(scope, place, reader)}
    insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
    select ${scope.apiKeyId}, ${organizationId}, document_id, annotation_id, ${reader.userId},
      greatest(last_updated, cast(${Date.now()} as bigint))
    from unread order by annotation_id
    on conflict (api_key_id, organization_id, document_id, annotation_id, user_id)
      do update set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
