import { type RawBuilder, sql } from 'kysely';
import { loadProfiles } from '../../annotations/people.ts';
import { recordOf, type StoredAnnotation } from '../../annotations/record.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { safeStoredHtml } from '../../lib/text/html.ts';
import { mapInSlices } from '../../lib/threads/in-slices.ts';
import type { Annotation } from '../../shapes/annotations/annotation-record.ts';
import type { Comment } from '../../shapes/annotations/comment.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';
import { type AnnotationFilter, matches, shownTo } from './annotation-filter.ts';

export interface AnnotationPlace {
  organizationId: string;
  /** One document that the reader has been admitted to. */
  documentId?: string | undefined;
  /** Those of them that the reader may read. */
  documentIds?: string[] | undefined;
  /** Only on documents in this folder. */
  folderId?: string | undefined;
}

export interface AnnotationPosition {
  lastUpdated: number;
  documentId: string;
  annotationId: string;
}

export interface AnnotationWindow {
  order: 'asc' | 'desc';
  limit: number;
  after?: AnnotationPosition | undefined;
}

interface ListedRow extends StoredAnnotation {
  folderId: string | null;
  /** Null where nobody in particular reads. */
  isUnread: boolean | null;
  comments: [commentId: number, createdAt: number, lastUpdated: number, body: Comment][];
}

/**
 * One page by last update, with the comments of each, strictly after the given position where there is one.
 * A reader is shown only what they may see.
 */
export async function listAnnotations(
  db: Db,
  scope: Scope,
  place: AnnotationPlace,
  filter: AnnotationFilter,
  window: AnnotationWindow,
  reader: Reader | undefined,
): Promise<(AnnotationPosition & { record: Annotation })[]> {
  const manyDocuments = await hasManyDocuments(db, scope, place);
  const { rows: read } = await sql<ListedRow>`
    select annotations.*,
      (select documents.folder_id from documents where ${sameDocument('documents')}) as folder_id,
      ${isUnread(reader)} as is_unread,
      (select coalesce(json_agg(json_build_array(comments.comment_id, comments.created_at,
          comments.last_updated, comments.body) order by comments.created_at, comments.comment_id), '[]')
        from comments where ${sameDocument('comments')}
          and comments.annotation_id = annotations.annotation_id) as comments
    from (${pageOf(scope, { ...place, manyDocuments }, filter, window, reader)}) as annotations
    order by ${ordered(window.order)}`.execute(db);
  const rows = await mapInSlices(read, (row) => ({ ...row, comments: row.comments.map(whole) }));
  const withProfiles = await loadProfiles(db, scope, rows);
  return await mapInSlices(rows, ({ comments, isUnread, ...row }) => ({
    lastUpdated: row.lastUpdated,
    documentId: row.documentId,
    annotationId: row.annotationId,
    record: withProfiles({
      ...recordOf(row),
      ...(isUnread !== null && { isUnread }),
      comments: comments.map((comment) => ({
        ...comment,
        ...(comment.commentHtml !== undefined && { commentHtml: safeStoredHtml(comment.commentHtml) }),
        lastUpdated: new Date(comment.lastUpdated).toISOString(),
      })),
    }),
  }));
}

/** Put together here: for the database it is half of the work of a page. */
const whole = ([commentId, createdAt, lastUpdated, body]: ListedRow['comments'][number]) => ({
  ...body,
  commentId,
  createdAt,
  lastUpdated,
});

const sameDocument = (table: 'documents' | 'comments' | 'seen') =>
  sql`${sql.ref(`${table}.apiKeyId`)} = annotations.api_key_id
    and ${sql.ref(`${table}.organizationId`)} = annotations.organization_id
    and ${sql.ref(`${table}.documentId`)} = annotations.document_id`;

const isUnread = (reader: Reader | undefined) =>
  reader === undefined
    ? sql`null::boolean`
    : sql`not exists (select 1 from annotation_views as seen where ${sameDocument('seen')}
        and seen.annotation_id = annotations.annotation_id and seen.user_id = ${reader.userId}
        and seen.viewed_at >= annotations.last_updated)`;

const ordered = (order: 'asc' | 'desc') => {
  const direction = sql.raw(order);
  return sql`annotations.last_updated ${direction}, annotations.document_id ${direction},
    annotations.annotation_id ${direction}`;
};

/**
 * The rows of one page. Of several documents, each gives a page in the order of its own index, and these are
 * merged: what is sorted is a page for each document, never all that is on them.
 */
function pageOf(
  { apiKeyId }: Scope,
  {
    organizationId,
    documentId,
    documentIds,
    folderId,
    manyDocuments,
  }: AnnotationPlace & { manyDocuments: boolean },
  filter: AnnotationFilter,
  { order, limit, after }: AnnotationWindow,
  reader: Reader | undefined,
): RawBuilder<unknown> {
  const page = (onDocument: RawBuilder<unknown>, position: RawBuilder<unknown>) => {
    const all = sql`
      select annotations.* from annotations
      where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
        ${onDocument} and ${matches(filter)} and ${shownTo(reader)} ${position}`;
    // Mentions are few, which no statistics tell: left to itself, the planner would walk along the order instead.
    const from = filter.mentionedUserIds
      ? sql`select annotations.* from (${all} offset 0) as annotations`
      : all;
    return sql`${from} order by ${ordered(order)} limit ${limit}`;
  };
  const compare = sql.raw(order === 'asc' ? '>' : '<');
  const behind = after
    ? sql`and (annotations.last_updated, annotations.document_id, annotations.annotation_id) ${compare}
        (cast(${after.lastUpdated} as bigint), ${after.documentId}, ${after.annotationId})`
    : sql``;
  const only = documentId ?? (documentIds?.length === 1 ? documentIds[0] : undefined);
  const readable = (table: 'annotations' | 'documents') =>
    reader && documentId === undefined ? sql`and ${readableDocument(reader, table)}` : sql``;
  if (only !== undefined) {
    const behindHere = after
      ? sql`and (annotations.last_updated, annotations.annotation_id) ${compare}
          (cast(${after.lastUpdated} as bigint), ${after.annotationId})`
      : sql``;
    const inFolder = folderId === undefined ? sql`` : sql`and ${isInFolder(folderId)}`;
    return page(
      sql`and annotations.document_id = ${only} ${inFolder} ${readable('annotations')}`,
      behindHere,
    );
  }
  if (documentIds === undefined && folderId === undefined) return page(readable('annotations'), behind);
  if (manyDocuments) return page(sql`and ${isInFolder(folderId!)} ${readable('annotations')}`, behind);
  const inFolder = folderId === undefined ? sql`` : sql`and documents.folder_id = ${folderId}`;
  const named =
    documentIds === undefined ? sql`` : sql`and documents.document_id in (${sql.join(documentIds)})`;
  return sql`
    select annotations.* from documents
    cross join lateral (
      ${page(sql`and annotations.document_id = documents.document_id`, behind)}) as annotations
    where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
      ${inFolder} ${named} ${readable('documents')}
    order by ${ordered(order)} limit ${limit}`;
}

// Not `exists`, which the planner would turn into a look at all documents of the folder.
const isInFolder = (folderId: string) =>
  sql`(select documents.folder_id from documents where ${sameDocument('documents')}) = ${folderId}`;

/** Above this many documents, walking along the whole organization costs less than a page of each. */
const MANY_DOCUMENTS = 100;

async function hasManyDocuments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, documentIds, folderId }: AnnotationPlace,
): Promise<boolean> {
  if (folderId === undefined || documentId !== undefined || documentIds !== undefined) return false;
  const rows = await db
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', '=', folderId)
    // The order of an index, so that it is one that is walked along.
    .orderBy('createdAt')
    .orderBy('documentId')
    .limit(MANY_DOCUMENTS + 1)
    .execute();
  return rows.length > MANY_DOCUMENTS;
}
