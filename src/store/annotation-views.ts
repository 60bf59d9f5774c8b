import { sql } from 'kysely';
import { json } from '../db/json.ts';
import type { Db, Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import { matches, shownTo } from './annotation-filter.ts';
import type { Place } from './comments.ts';
import type { Reader } from './readers.ts';
import { readableDocument } from './readers.ts';

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
  { organizationId, documentId }: Place,
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
  { organizationId, documentId }: Place,
  annotationIds: readonly string[],
  userIds: readonly string[],
): Promise<void> {
  if (annotationIds.length === 0 || userIds.length === 0) return;
  await sql`
    delete from annotation_views
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
      and annotation_id in (select jsonb_array_elements_text(${json(annotationIds)}))
      and user_id in (select jsonb_array_elements_text(${json(userIds)}))`.execute(tx);
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
 * leaves out documents that the reader may not open.
 */
export async function countAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentIds, statusIds }: CountFilter,
  reader: Reader,
  { readable }: { readable: boolean },
): Promise<Map<string, Counted>> {
  const { rows } = await sql<Counted & { documentId: string }>`
    select annotations.document_id, cast(count(*) as integer) as total,
      cast(count(*) filter (where seen.viewed_at is null or seen.viewed_at < annotations.last_updated) as integer)
        as unread
    from annotations
    left join annotation_views as seen on seen.api_key_id = ${apiKeyId} and seen.user_id = ${reader.userId}
      and seen.organization_id = ${organizationId} and seen.document_id = annotations.document_id
      and seen.annotation_id = annotations.annotation_id
    where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
      and annotations.document_id in (${sql.join(documentIds)})
      and ${matches({ statusIds })} and ${shownTo(reader)}
      ${readable ? sql`and ${readableDocument(reader, 'annotations')}` : sql``}
    group by annotations.document_id`.execute(db);
  return new Map(rows.map(({ documentId, total, unread }) => [documentId, { total, unread }]));
}
