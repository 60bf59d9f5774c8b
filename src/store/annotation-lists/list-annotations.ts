import { type RawBuilder, sql } from 'kysely';
import { type PresentedRow, presentAnnotation } from '../../annotations/present-annotation.ts';
import { preparedVariants } from '../../db/prepared.ts';
import { anyOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Scope } from '../../lib/scope.ts';
import { safeStoredHtml } from '../../lib/text/html.ts';
import { mapInSlices } from '../../lib/threads/in-slices.ts';
import type { Annotation } from '../../shapes/annotations/annotation-record.ts';
import type { Comment } from '../../shapes/annotations/comment-record.ts';
import type { ReactionSummary } from '../../shapes/annotations/reaction.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';
import { type AnnotationFilter, matches, shownTo } from '../annotations/annotation-filter.ts';
import { annotationsWith } from '../annotations/annotation-search.ts';
import { ON_ANNOTATION } from '../reactions/reaction-rows.ts';
import { type GatheredReactions, reactionsInSql, summariesOf } from '../reactions/reaction-summaries.ts';
import { type ProfileRow, profilesInSql, profilesOf } from '../users/user-profiles.ts';
import { loadCurrentProfiles } from './current-profiles.ts';

/** Page size of `pageOfIds`: an id may occur on several documents, so a page of ids may have more rows than ids. */
const MAX_ROWS = 1_000;

export interface AnnotationListing {
  organizationId: string;
  /** A document that the reader was admitted to. */
  documentId?: string | undefined;
  /** Documents to list, unless the reader may not read them. */
  documentIds?: string[] | undefined;
  /** Restricts the list to documents in this folder. */
  folderId?: string | undefined;
  filter: AnnotationFilter;
  /** Undefined lists what an API key sees. */
  reader: Reader | undefined;
  /** The user whose views decide what is unread, if there is no reader. */
  unreadFor?: string | undefined;
}

interface PageRequest {
  order: 'asc' | 'desc';
  /** Keyset position after which the page begins; empty for the first page. */
  position: Position;
  size: number;
}

export interface AnnotationPage<Record> {
  /** Null stands for an id of the filter that was not found. */
  rows: (ListedAnnotation<Record> | null)[];
  next: Position | undefined;
}

interface AnnotationPosition {
  lastUpdated: number;
  documentId: string;
  annotationId: string;
}

export interface ListedAnnotation<Record = Annotation> extends AnnotationPosition {
  record: Record;
}

/** Lists the annotations of a window: `listAnnotations` with their comments, `listAnchors` without. */
type ListRows<Record> = (
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  window: KeysetWindow,
) => Promise<ListedAnnotation<Record>[]>;

/** One page of annotations: in the order of the filter's ids, otherwise by last update. */
export const pageAnnotations = <Record>(
  list: ListRows<Record>,
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  page: PageRequest,
): Promise<AnnotationPage<Record>> =>
  listing.filter.annotationIds
    ? pageOfIds(list, db, scope, listing, listing.filter.annotationIds, page)
    : pageByUpdate(list, db, scope, listing, page);

async function pageByUpdate<Record>(
  list: ListRows<Record>,
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  { order, position, size }: PageRequest,
): Promise<AnnotationPage<Record>> {
  const [lastUpdated, documentId, annotationId] = position;
  const after =
    annotationId === undefined
      ? undefined
      : {
          lastUpdated: Number(lastUpdated),
          documentId: String(documentId),
          annotationId: String(annotationId),
        };
  const rows = await list(db, scope, listing, { order, limit: size + 1, after });
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { rows: rows.slice(0, size), next: last && [last.lastUpdated, last.documentId, last.annotationId] };
}

async function pageOfIds<Record>(
  list: ListRows<Record>,
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  ids: string[],
  { position, size }: PageRequest,
): Promise<AnnotationPage<Record>> {
  const from = Number(position[0] ?? 0);
  const annotationIds = ids.slice(from, from + size);
  const found = await list(
    db,
    scope,
    { ...listing, filter: { ...listing.filter, annotationIds } },
    { order: 'desc', limit: MAX_ROWS },
  );
  // Annotations of different documents may have the same id.
  const byId = Map.groupBy(found, (row) => row.annotationId);
  const rows = annotationIds.flatMap<ListedAnnotation<Record> | null>((id) => byId.get(id) ?? [null]);
  return { rows, next: from + size < ids.length ? [from + size] : undefined };
}

export interface KeysetWindow {
  order: 'asc' | 'desc';
  limit: number;
  after?: AnnotationPosition | undefined;
}

interface ListedRow extends Omit<PresentedRow, 'apiKeyId' | 'organizationId'> {
  folderId: string | null;
  /** Null without a reader. */
  isUnread: boolean | null;
  reactions: GatheredReactions[] | null;
  comments: [commentId: number, createdAt: number, lastUpdated: number, body: Comment][];
  /** In the first row, of the authors of all rows. */
  profiles: ProfileRow[] | null;
}

/** Annotations with their comments. */
export async function listAnnotations(
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  window: KeysetWindow,
): Promise<ListedAnnotation[]> {
  const { reader, organizationId } = listing;
  const manyDocuments = await hasManyDocuments(db, scope, listing);
  const statement = sql<ListedRow>`
    with page as materialized (
      select annotations.*, ${folderOf(scope, listing)} as folder_id, ${isUnread(listing)} as is_unread, said.*,
        ${reactionsInSql(sql`${sameDocument('reactions')} and reactions.annotation_id = annotations.annotation_id`, reader)} as reactions
      from (${pageInSql(scope, listing, window, { manyDocuments })}) as annotations
      cross join lateral (
        select coalesce(json_agg(json_build_array(comments.comment_id, comments.created_at,
            comments.last_updated, comments.body) order by comments.created_at, comments.comment_id), '[]') as comments,
          array_agg(comments.author_id) as author_ids
        from comments where ${sameDocument('comments')}
          and comments.annotation_id = annotations.annotation_id) as said)
    select document_id, annotation_id, annotation_number, location_id, body, created_at, last_updated, folder_id,
      is_unread, comments, reactions, case when row_number() over (order by ${ordered(window.order)}) = 1
        then ${profilesInSql(scope, sql`select author_id from page union select unnest(author_ids) from page`)}
        end as profiles
    from page as annotations
    order by ${ordered(window.order)}`;
  const read = isPlain(listing) ? await runPlain(db, statement) : (await statement.execute(db)).rows;
  const rows = await mapInSlices(read, (row) => {
    const reactions = summariesOf(row.reactions);
    return {
      row,
      body: row.body,
      reactions: reactions.get(ON_ANNOTATION),
      comments: row.comments.map((comment) => toComment(comment, reactions)),
    };
  });
  const withProfiles = await loadCurrentProfiles(db, scope, rows, profilesOf(read[0]?.profiles ?? []));
  return await mapInSlices(rows, ({ row, comments, reactions }) => ({
    lastUpdated: row.lastUpdated,
    documentId: row.documentId,
    annotationId: row.annotationId,
    // A caller may have a field of this name.
    record: withProfiles(
      {
        ...presentAnnotation({ ...row, apiKeyId: scope.apiKeyId, organizationId }),
        ...(row.isUnread !== null && { isUnread: row.isUnread }),
        ...(reactions && { reactions }),
        comments,
      },
      reactions !== undefined,
    ),
  }));
}

const runPlain = preparedVariants();

/** Lists of one document, which an index holds in order whatever the values. Filters are planned by their values. */
export const isPlain = ({ documentId, folderId, filter }: AnnotationListing): boolean =>
  documentId !== undefined &&
  folderId === undefined &&
  Object.values(filter).every((value) => value === undefined);

/** Assembled here, because that would be half of the database's work for a page. */
function toComment(
  [commentId, createdAt, lastUpdated, body]: ListedRow['comments'][number],
  reactionsOf: ReadonlyMap<number, ReactionSummary[]>,
): Comment {
  const comment: Comment = {
    ...body,
    commentId,
    createdAt,
    lastUpdated: new Date(lastUpdated).toISOString(),
  };
  if (comment.commentHtml !== undefined) comment.commentHtml = safeStoredHtml(comment.commentHtml);
  const reactions = reactionsOf.get(commentId);
  if (reactions) comment.reactions = reactions;
  return comment;
}

export const sameDocument = (table: 'documents' | 'comments' | 'reactions' | 'seen') =>
  sql`${sql.ref(`${table}.apiKeyId`)} = annotations.api_key_id
    and ${sql.ref(`${table}.organizationId`)} = annotations.organization_id
    and ${sql.ref(`${table}.documentId`)} = annotations.document_id`;

/** For one document, the database reads the folder once for the page, not for each row. */
const folderOf = ({ apiKeyId }: Scope, { organizationId, documentId }: AnnotationListing) =>
  documentId === undefined
    ? sql`(select documents.folder_id from documents where ${sameDocument('documents')})`
    : sql`(select documents.folder_id from documents where documents.api_key_id = ${apiKeyId}
        and documents.organization_id = ${organizationId} and documents.document_id = ${documentId})`;

export const isUnread = ({ reader, unreadFor }: Pick<AnnotationListing, 'reader' | 'unreadFor'>) => {
  const userId = reader?.userId ?? unreadFor;
  return userId === undefined
    ? sql`null::boolean`
    : sql`not exists (select 1 from annotation_views as seen where ${sameDocument('seen')}
        and seen.annotation_id = annotations.annotation_id and seen.user_id = ${userId}
        and seen.viewed_at >= annotations.last_updated)`;
};

export const ordered = (order: 'asc' | 'desc') => {
  const direction = sql.raw(order);
  return sql`annotations.last_updated ${direction}, annotations.document_id ${direction},
    annotations.annotation_id ${direction}`;
};

/**
 * The rows of one page. For several documents, each contributes a page in the order of its own index, and these are
 * merged: the sort sees a page per document instead of all their annotations.
 */
export function pageInSql(
  { apiKeyId }: Scope,
  { organizationId, documentId, documentIds, folderId, filter, reader }: AnnotationListing,
  { order, limit, after }: KeysetWindow,
  { manyDocuments }: { manyDocuments: boolean },
): RawBuilder<unknown> {
  const page = (onDocument: RawBuilder<unknown>, position: RawBuilder<unknown>) => {
    const all = sql`
      select annotations.* from ${annotationsWith(filter.text)}
      where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
        ${onDocument} and ${matches(filter)} and ${shownTo(reader)} ${position}`;
    // Mentions are rare, but no statistics say so: without the fence, the planner would scan the order index.
    const from = filter.mentionedUserIds
      ? sql`select annotations.* from (${all} offset 0) as annotations`
      : all;
    return sql`${from} order by ${ordered(order)} limit ${sql.lit(limit)}`;
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
  if (filter.text && documentIds) {
    const inFolder = folderId === undefined ? sql`` : sql`and ${isInFolder(folderId)}`;
    const named = sql`and annotations.document_id = ${anyOf(documentIds)}`;
    return page(sql`${named} ${inFolder} ${readable('annotations')}`, behind);
  }
  if (manyDocuments || filter.text)
    return page(sql`and ${isInFolder(folderId!)} ${readable('annotations')}`, behind);
  const inFolder = folderId === undefined ? sql`` : sql`and documents.folder_id = ${folderId}`;
  const named =
    documentIds === undefined ? sql`` : sql`and documents.document_id in (${sql.join(documentIds)})`;
  return sql`
    select annotations.* from documents
    cross join lateral (
      ${page(sql`and annotations.document_id = documents.document_id`, behind)}) as annotations
    where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
      ${inFolder} ${named} ${readable('documents')}
    order by ${ordered(order)} limit ${sql.lit(limit)}`;
}

// `exists` would be planned as a join with all documents of the folder.
const isInFolder = (folderId: string) =>
  sql`(select documents.folder_id from documents where ${sameDocument('documents')}) = ${folderId}`;

/** For more documents, a scan of the organization's index costs less than a page of each. */
const MANY_DOCUMENTS = 100;

export async function hasManyDocuments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, documentIds, folderId }: AnnotationListing,
): Promise<boolean> {
  if (folderId === undefined || documentId !== undefined || documentIds !== undefined) return false;
  const rows = await db
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', '=', folderId)
    // Makes the planner use the index in this order.
    .orderBy('createdAt')
    .orderBy('documentId')
    .limit(MANY_DOCUMENTS + 1)
    .execute();
  return rows.length > MANY_DOCUMENTS;
}
