import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import type { Fields } from '../../lib/json.ts';
import { annotationRecord } from './annotation-sql.ts';

interface ThreadValues extends Fields {
  apiKeyId: string;
  workspaceId: string;
  now: number;
  /** This and the next two fields are JSON lists; each item names the position of its annotation in `threads`. */
  threads: string;
  comments: string;
  judgments: string;
  /** Length of `threads`. */
  count: number;
}

interface WrittenThread {
  isFound: boolean;
  isAdded: boolean;
}

/** The columns of `annotations` that a request determines, in the order of the insertion. */
const columns = sql.raw(
  ['author_id', 'status_id', 'location_id', 'agent_id', 'execution_id', 'agent_url', 'suggestion_status']
    .concat('cause_id', 'visibility', 'body', 'created_at', 'last_updated')
    .join(', '),
);

const threadItems =
  sql.raw(`as item("organizationId" text, "documentId" text, "annotationId" text, "authorId" text,
  "statusId" text, "locationId" text, "agentId" text, "executionId" text, "agentUrl" text, "suggestionStatus" text,
  "causeId" text, visibility jsonb, body jsonb, "createdAt" bigint, "lastUpdated" bigint, thread integer)`);

const commentItems =
  sql.raw(`as item(thread integer, place integer, "commentId" bigint, "authorId" text, body jsonb,
  "createdAt" bigint, "lastUpdated" bigint, "shownUpdate" text, "eventId" text, details jsonb)`);

const judgmentItems =
  sql.raw(`as item(thread integer, "judgmentId" text, "commentId" bigint, origin text, decision text,
  reasoning text, content text, "contentType" text, confidence double precision, "judgeType" text,
  "reviewerId" text, "actionUser" jsonb, agent jsonb, "createdAt" bigint, "eventId" text, payload jsonb)`);

/**
 * Inserts annotations with their comments, views, judgments and events, and returns a row for each in the given order.
 * Annotations whose id is taken are left out. The update of a document makes concurrent insertions wait, so that numbers
 * follow the order of commits. If another transaction took an id just before, the number drawn here stays unused.
 * Documents are locked in order of ids, so that writers do not deadlock; with `skipsLocked`, those that another
 * transaction has locked count as not found.
 */
const insertionOf = ({ skipsLocked }: { skipsLocked: boolean }) =>
  prepared<ThreadValues, WrittenThread>((db, row) => {
    const { apiKeyId } = row;
    const now = sql`cast(${row.now} as bigint)`;
    const list = (items: string) => sql`jsonb_to_recordset(cast(${items} as jsonb))`;
    const event = (name: 'comment_annotation.add' | 'comment.add') =>
      eventColumns({
        apiKeyId,
        workspaceId: row.workspaceId,
        createdAt: row.now,
        eventId: sql`item."eventId"`,
        name,
        payload: sql<EventPayload<'comment.add'>>`item.details || jsonb_build_object(
          'organizationId', annotation.organization_id, 'documentId', annotation.document_id,
          'annotationId', annotation.annotation_id, 'targetComment', item.body || jsonb_build_object(
            'commentId', item."commentId", 'createdAt', item."createdAt", 'lastUpdated', item."shownUpdate"))
          || ${annotationRecord}`,
      });
    const remembered = eventColumns({
      apiKeyId,
      workspaceId: row.workspaceId,
      createdAt: row.now,
      eventId: sql`item."eventId"`,
      name: 'memory.judgment_add',
      payload: sql`item.payload`,
    });
    // The planner expects a limit that it does not know to leave a tenth of the rows, so it looks each document up.
    const query = sql<WrittenThread>`
      with thread as materialized (select * from ${list(row.threads)} ${threadItems}
      ), said as materialized (select * from ${list(row.comments)} ${commentItems}
      ), learned as materialized (select * from ${list(row.judgments)} ${judgmentItems}
      ), place as materialized (
        select locked.* from (
          select distinct "organizationId", "documentId" from thread order by "organizationId", "documentId"
          limit ${row.count}
        ) as wanted cross join lateral (
          select documents.organization_id, documents.document_id from documents
          where documents.api_key_id = ${apiKeyId} and documents.organization_id = wanted."organizationId"
            and documents.document_id = wanted."documentId"
          for no key update ${sql.raw(skipsLocked ? 'skip locked' : '')}) as locked
      ), free as materialized (
        select thread.*,
          cast(row_number() over (partition by "organizationId", "documentId" order by thread) as integer) as nth
        from thread join place on place.organization_id = "organizationId" and place.document_id = "documentId"
        where (select true from annotations where annotations.api_key_id = ${apiKeyId}
          and annotations.organization_id = thread."organizationId"
          and annotations.document_id = thread."documentId"
          and annotations.annotation_id = thread."annotationId" limit 1) is null
      ), numbered as (
        update documents set next_annotation_number = next_annotation_number + wanted.many
        from (select "organizationId", "documentId", cast(count(*) as integer) as many from free
          group by "organizationId", "documentId" limit ${row.count}) as wanted
        where documents.api_key_id = ${apiKeyId} and documents.organization_id = wanted."organizationId"
          and documents.document_id = wanted."documentId"
        returning documents.organization_id, documents.document_id, next_annotation_number - wanted.many as first
      ), added as (
        insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number, ${columns})
        select ${apiKeyId}, "organizationId", "documentId", "annotationId", first + nth - 1, "authorId", "statusId",
          "locationId", "agentId", "executionId", "agentUrl", "suggestionStatus", "causeId",
          nullif(visibility, 'null'), body, "createdAt", "lastUpdated"
        from free join numbered on numbered.organization_id = "organizationId"
          and numbered.document_id = "documentId"
        order by thread
        on conflict do nothing
        returning *
      ), annotation as materialized (
        select added.*, free.thread from added join free on free."annotationId" = added.annotation_id
          and free."documentId" = added.document_id and free."organizationId" = added.organization_id
      ), written as (
        insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
          created_at, last_updated)
        select api_key_id, organization_id, document_id, annotation_id, item."commentId", item."authorId", item.body,
          item."createdAt", item."lastUpdated"
        from annotation join said as item using (thread)
      ), seen as (
        insert into annotation_views (api_key_id, organization_id, document_id, annotation_id, user_id, viewed_at)
        select distinct api_key_id, organization_id, document_id, annotation_id, item."authorId",
          greatest(annotation.last_updated, ${now})
        from annotation join said as item using (thread)
        on conflict do nothing
      ), judged as (
        insert into judgments (api_key_id, judgment_id, organization_id, document_id, annotation_id, comment_id,
          origin, decision, reasoning, content, content_type, confidence, judge_type, reviewer_id, action_user, agent,
          created_at, recorded_at)
        select api_key_id, item."judgmentId", organization_id, document_id, annotation_id, item."commentId",
          item.origin, item.decision, item.reasoning, item.content, item."contentType", item.confidence,
          item."judgeType", item."reviewerId", item."actionUser", nullif(item.agent, 'null'), item."createdAt", ${now}
        from annotation join learned as item using (thread)
      ), event as (${insertEvents(
        sql`select ${remembered}, 0 as kind, thread, 0 as place from annotation join learned as item using (thread)
          union all select ${event('comment_annotation.add')}, 1, thread, place
          from annotation join said as item using (thread) where place = 0
          union all select ${event('comment.add')}, 2, thread, place
          from annotation join said as item using (thread) where place > 0`,
        sql`kind, thread, place`,
      )})
      select place.document_id is not null as is_found, annotation.annotation_id is not null as is_added
      from thread
        left join place on place.organization_id = "organizationId" and place.document_id = "documentId"
        left join annotation using (thread)
      order by thread`;
    return { compile: () => query.compile(db) };
  });

export const insertThreads = insertionOf({ skipsLocked: false });

/** The same, without waiting for documents that another transaction has locked. */
export const insertThreadsUnlocked = insertionOf({ skipsLocked: true });
