import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';
import {
  type AnnotationFilter,
  isRestrictedRow,
  isUnrestrictedRow,
  matches,
  shownTo,
} from './annotation-filter.ts';
import { annotationsWith } from './annotation-search.ts';

export interface View {
  annotationId: string;
  userId: string;
  /** Epoch milliseconds. */
  viewedAt: number;
}

const keyOf = ({ annotationId, userId }: View) => JSON.stringify([annotationId, userId]);

/** Records views of annotations; a later view stays. */
export async function markViewed(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  views: readonly View[],
): Promise<void> {
  if (views.length === 0) return;
  // One row per key, since an upsert may not touch a row twice; in key order, against deadlocks.
  const items = [...new Map(views.map((view) => [keyOf(view), view]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, view]) => view);
  await insertViews(tx, { apiKeyId, organizationId, documentId, items: JSON.stringify(items) });
}

interface NewViews extends DocumentRef, Fields {
  apiKeyId: string;
  /** A JSON list of `View`. */
  items: string;
}

const insertViews = prepared((db, row: NewViews) => {
  const query = sql<never>`
    insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
    select ${row.apiKeyId}, ${row.organizationId}, ${row.documentId}, item."annotationId", item."userId",
      item."viewedAt"
    from jsonb_to_recordset(cast(${row.items} as jsonb))
      as item("annotationId" text, "userId" text, "viewedAt" bigint)
    on conflict (api_key_id, organization_id, document_id, annotation_id, user_id)
      do update set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)`;
  return { compile: () => query.compile(db) };
});

/** Makes annotations unread for these users. */
export async function forgetViews(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  annotationIds: readonly string[],
  userIds: readonly string[],
): Promise<void> {
  if (annotationIds.length === 0 || userIds.length === 0) return;
  await tx
    .deleteFrom('annotationViews')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', 'in', annotationIds)
    .where('userId', 'in', userIds)
    .execute();
}

export interface AnnotationCount {
  total: number;
  /** Annotations that the reader has not viewed since their last update. */
  unread: number;
}

interface CountFilter {
  organizationId: string;
  documentIds: string[];
  search: AnnotationFilter;
}

/**
 * Counts the annotations of each document that a reader may see, in total and unread. `readable` leaves out documents
 * that the reader may not open; `all` includes what the reader may not see. Unrestricted annotations are counted by an index-only scan.
 */
export async function countAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentIds, search }: CountFilter,
  reader: Reader,
  { readable, all = false }: { readable: boolean; all?: boolean },
): Promise<Map<string, AnnotationCount>> {
  const listed = sql.join(documentIds);
  const onDocuments = sql`annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
    and annotations.document_id in (${listed}) and ${matches(search)}`;
  const source = annotationsWith(search.text);
  const columns = sql`annotations.document_id, annotations.annotation_id, annotations.last_updated`;
  const { rows } = await sql<AnnotationCount & { documentId: string }>`
    with shown as (
      select ${columns} from ${source} where ${onDocuments} and ${isUnrestrictedRow}
      union all
      select ${columns} from ${source} where ${onDocuments} and ${isRestrictedRow} and ${shownTo(all ? undefined : reader)}
    ), seen as materialized (
      select document_id, annotation_id, viewed_at from annotation_views
      where api_key_id = ${apiKeyId} and user_id = ${reader.userId} and organization_id = ${organizationId}
        and document_id in (${listed})
    ), counted as (
      select document_id, cast(count(*) as integer) as total,
        cast(count(*) filter (where seen.viewed_at is null or seen.viewed_at < shown.last_updated) as integer)
          as unread
      from shown left join seen using (document_id, annotation_id)
      group by document_id)
    select counted.* from counted join documents using (document_id)
    where documents.api_key_id = ${apiKeyId} and documents.organization_id = ${organizationId}
      ${readable ? sql`and ${readableDocument(reader, 'documents')}` : sql``}`.execute(db);
  return new Map(rows.map(({ documentId, total, unread }) => [documentId, { total, unread }]));
}
