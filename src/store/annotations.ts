import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { json } from '../db/json.ts';
import type { Db, Tables } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { Annotation } from '../shapes/annotation.ts';

export interface AnnotationFilter {
  organizationId: string;
  documentIds?: string[] | undefined;
  folderId?: string | undefined;
  annotationIds?: string[] | undefined;
  locationIds?: string[] | undefined;
  /** Authors of the annotation itself. */
  userIds?: string[] | undefined;
  mentionedUserIds?: string[] | undefined;
  resolvedBy?: string | undefined;
  statusIds?: string[] | undefined;
  agentId?: string | undefined;
  executionId?: string | undefined;
  agentType?: string | undefined;
  agentSource?: string | undefined;
  agentSuggestions?: true | undefined;
  agentComments?: true | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

export interface AnnotationPosition {
  lastUpdated: number;
  documentId: string;
  annotationId: string;
}

interface Window {
  order: 'asc' | 'desc';
  limit: number;
  after?: AnnotationPosition | undefined;
}

interface CommentRow {
  commentId: number;
  body: Record<string, unknown>;
  createdAt: number;
  lastUpdated: number;
}

/** One page by last update, with the comments of each, strictly after the given position where there is one. */
export async function listAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  filter: AnnotationFilter,
  { order, limit, after }: Window,
): Promise<(AnnotationPosition & { record: Annotation })[]> {
  const compare = sql.raw(order === 'asc' ? '>' : '<');
  let query = db
    .selectFrom('annotations')
    .selectAll('annotations')
    .select(
      sql<CommentRow[]>`(select coalesce(jsonb_agg(jsonb_build_object('commentId', comments.comment_id,
          'body', comments.body, 'createdAt', comments.created_at, 'lastUpdated', comments.last_updated)
          order by comments.created_at, comments.comment_id), '[]')
        from comments where comments.api_key_id = annotations.api_key_id
          and comments.organization_id = annotations.organization_id
          and comments.document_id = annotations.document_id
          and comments.annotation_id = annotations.annotation_id)`.as('comments'),
    )
    .where('apiKeyId', '=', apiKeyId)
    .where((eb) => matches(eb, filter));
  if (after) {
    query = query.where(
      sql<boolean>`(last_updated, document_id, annotation_id) ${compare}
        (cast(${after.lastUpdated} as bigint), ${after.documentId}, ${after.annotationId})`,
    );
  }
  const rows = await query
    .orderBy('lastUpdated', order)
    .orderBy('documentId', order)
    .orderBy('annotationId', order)
    .limit(limit)
    .execute();
  return rows.map(({ comments, body, ...row }) => ({
    lastUpdated: row.lastUpdated,
    documentId: row.documentId,
    annotationId: row.annotationId,
    record: {
      ...body,
      annotationId: row.annotationId,
      annotationNumber: row.annotationNumber,
      annotationIndex: row.annotationNumber,
      ...(row.locationId !== null && { locationId: row.locationId }),
      metadata: {
        apiKey: apiKeyId,
        organizationId: row.organizationId,
        documentId: row.documentId,
        ...(body.metadata as object | undefined),
      },
      createdAt: row.createdAt,
      lastUpdated: row.lastUpdated,
      comments: comments.map((comment) => ({
        ...comment.body,
        commentId: comment.commentId,
        createdAt: comment.createdAt,
        lastUpdated: new Date(comment.lastUpdated).toISOString(),
      })),
    },
  }));
}

function matches(eb: ExpressionBuilder<Tables, 'annotations'>, filter: AnnotationFilter) {
  const { documentIds, annotationIds, locationIds, userIds, statusIds } = filter;
  const when = <T>(value: T | undefined, condition: (value: T) => ReturnType<typeof eb.and>) =>
    value === undefined ? [] : [condition(value)];
  const wrap = (condition: ReturnType<typeof sql<SqlBool>>) => eb.and([condition]);
  return eb.and([
    eb('organizationId', '=', filter.organizationId),
    ...when(documentIds, (ids) => eb.and([eb('documentId', 'in', ids)])),
    ...when(annotationIds, (ids) => eb.and([eb('annotationId', 'in', ids)])),
    ...when(locationIds, (ids) => eb.and([eb('locationId', 'in', ids)])),
    ...when(userIds, (ids) => eb.and([eb('authorId', 'in', ids)])),
    ...when(statusIds, (ids) => eb.and([eb('statusId', 'in', ids)])),
    ...when(filter.folderId, (folderId) =>
      wrap(sql<SqlBool>`exists (select 1 from documents where documents.api_key_id = annotations.api_key_id
        and documents.organization_id = annotations.organization_id
        and documents.document_id = annotations.document_id and documents.folder_id = ${folderId})`),
    ),
    ...when(filter.mentionedUserIds, (ids) =>
      wrap(sql<SqlBool>`exists (select 1 from jsonb_array_elements_text(${json(ids)}) as mentioned(id)
        where jsonb_exists(body -> 'mentionedUserIds', mentioned.id))`),
    ),
    ...when(filter.resolvedBy, (userId) => wrap(sql<SqlBool>`body ->> 'resolvedByUserId' = ${userId}`)),
    ...when(filter.agentId, (agentId) => eb.and([eb('agentId', '=', agentId)])),
    ...when(filter.executionId, (executionId) => eb.and([eb('executionId', '=', executionId)])),
    ...when(filter.agentType, (type) => wrap(sql<SqlBool>`body -> 'agent' ->> 'agentType' = ${type}`)),
    ...when(filter.agentSource, (source) =>
      wrap(sql<SqlBool>`body -> 'agent' ->> 'agentSource' = ${source}`),
    ),
    ...when(filter.agentSuggestions, () =>
      wrap(sql<SqlBool>`agent_id is not null and body ->> 'type' = 'suggestion'`),
    ),
    ...when(filter.agentComments, () =>
      wrap(sql<SqlBool>`agent_id is not null and body ->> 'type' is distinct from 'suggestion'`),
    ),
    ...when(filter.updatedAfter, (at) => eb.and([eb('lastUpdated', '>', at)])),
    ...when(filter.updatedBefore, (at) => eb.and([eb('lastUpdated', '<', at)])),
    ...when(filter.createdAfter, (at) => eb.and([eb('createdAt', '>', at)])),
    ...when(filter.createdBefore, (at) => eb.and([eb('createdAt', '<', at)])),
  ]);
}
