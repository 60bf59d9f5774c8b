import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type Reader, readableDocument } from '../access/visibility-sql.ts';
import { isForAll, isForSome, matches, shownTo } from './annotation-filter.ts';

export interface View {
  annotationId: string;
  userId: string;
  /** Epoch milliseconds. */
  viewedAt: number;
}

const keyOf = ({ annotationId, userId }: View) => JSON.stringify([annotationId, userId]);

/** Keeps who has seen which annotation as it was at a time; what they saw later stays. */
export async function markViewed(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  views: readonly View[],
): Promise<void> {
  if (views.length === 0) return;
  // One statement may touch a row but once; and in the order of keys, so that two cannot lock crosswise.
  const items = [...new Map(views.map((view) => [keyOf(view), view]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, view]) => view);
  await sql`
    insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
    select ${apiKeyId}, ${organizationId}, ${documentId}, item."annotationId", item."userId", item."viewedAt"
    from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "userId" text, "viewedAt" bigint)
    on conflict (api_key_id, organization_id, document_id, annotation_id, user_id)
      do update set viewed_at = greatest(annotation_views.viewed_at, excluded.viewed_at)`.execute(tx);
}

/** Makes annotations unread again for these users. */
export async function forgetViews(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  annotationIds: readonly string[],
  userIds: readonly string[],
): Promise<void> {
  if (annotationIds.length === 0 || userIds.length === 0) return;
  await sql`
    delete from annotation_views
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
      and annotation_id = any(cast(${annotationIds} as text[]))
      and user_id = any(cast(${userIds} as text[]))`.execute(tx);
}

export interface Counted {
  total: number;
  /** Not seen by the reader since the last update. */
  unread: number;
}

interface CountFilter {
  organizationId: string;
  documentIds: string[];
  statusIds: string[] | undefined;
}

/**
 * How many annotations of each document a reader may see, and how many of these are new to them. `readable`
 * leaves out documents that the reader may not open. What all may see is counted in the index alone.
 */
export async function countAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentIds, statusIds }: CountFilter,
  reader: Reader,
  { readable }: { readable: boolean },
): Promise<Map<string, Counted>> {
  const asked = sql.join(documentIds);
  const onDocuments = sql`annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
    and annotations.document_id in (${asked}) and ${matches({ statusIds })}`;
  const columns = sql`annotations.document_id, annotations.annotation_id, annotations.last_updated`;
  const { rows } = await sql<Counted & { documentId: string }>`
    with shown as (
      select ${columns} from annotations where ${onDocuments} and ${isForAll}
      union all
      select ${columns} from annotations where ${onDocuments} and ${isForSome} and ${shownTo(reader)}
    ), seen as materialized (
      select document_id, annotation_id, viewed_at from annotation_views
      where api_key_id = ${apiKeyId} and user_id = ${reader.userId} and organization_id = ${organizationId}
        and document_id in (${asked})
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
