import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';

export interface Thread {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
}

export interface CommentOfThread extends Thread {
  commentId: number;
}

const THREAD = sql`"apiKeyId" text, "organizationId" text, "documentId" text, "annotationId" text`;

const isOfItem = sql`notifications.api_key_id = item."apiKeyId"
  and notifications.organization_id = item."organizationId" and notifications.document_id = item."documentId"
  and notifications.target_annotation_id = item."annotationId" and notifications.target_annotation_id is not null`;
const isOfComment = sql`${isOfItem}
  and notifications.body -> 'notificationSourceData' ->> 'commentId' = item."commentId"`;

/** Deletes the notifications about deleted threads. */
export async function deleteOfThreads(tx: Tx, threads: Thread[]): Promise<void> {
  if (threads.length === 0) return;
  await sql`delete from notifications using jsonb_to_recordset(${json(threads)}) as item(${THREAD})
    where ${isOfItem}`.execute(tx);
}

/** Deletes the notifications about deleted comments. */
export async function deleteOfComments(tx: Tx, comments: CommentOfThread[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`delete from notifications
    using jsonb_to_recordset(${json(comments)}) as item(${THREAD}, "commentId" text)
    where ${isOfComment}`.execute(tx);
}

export interface ReadersOfThread extends Thread {
  visibility: Record<string, unknown> | null;
  accessFields: string[] | null;
}

/** Gives notifications the visibility of their threads. Threads must be distinct. */
export async function setReadersOfThreads(tx: Tx, threads: ReadersOfThread[]): Promise<void> {
  if (threads.length === 0) return;
  await sql`update notifications set visibility = item.visibility, access_fields = item."accessFields"
    from jsonb_to_recordset(${json(threads)}) as item(${THREAD}, visibility jsonb, "accessFields" text[])
    where ${isOfItem} and (notifications.visibility is distinct from item.visibility
      or notifications.access_fields is distinct from item."accessFields")`.execute(tx);
}

export interface WordsOfComment extends CommentOfThread {
  words: string | undefined;
}

/** Gives notifications the present text of their comments. Comments must be distinct. */
export async function setWordsOfComments(tx: Tx, comments: WordsOfComment[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`update notifications set body = case when coalesce(item.words, '') = ''
      then notifications.body - 'displayBodyMessage'
      else notifications.body || jsonb_build_object('displayBodyMessage', item.words) end
    from jsonb_to_recordset(${json(comments)}) as item(${THREAD}, "commentId" text, words text)
    where ${isOfComment}`.execute(tx);
}

interface LockedThread {
  visibility: Record<string, unknown> | null;
}

/**
 * Share-locks threads until the transaction ends, and returns the visibility of each in the same order, or undefined if
 * it or its comment was deleted. A concurrent change waits, and so finds the notification that is written now. The
 * organization and document are locked first, in the order in which deletions lock.
 */
export async function lockThreads(
  tx: Tx,
  threads: (Thread & { commentId: number | undefined })[],
): Promise<(LockedThread | undefined)[]> {
  if (threads.length === 0) return [];
  const items = threads.map((thread, index) => ({ ...thread, index }));
  // Each row is locked once, whatever the number of its events. The conditions on counts only set the order: what has an
  // annotation has a document and an organization. The offset keeps the planner from reading all comments into a hash table.
  const { rows } = await sql<LockedThread & { index: number }>`
    with item as materialized (select *
      from jsonb_to_recordset(${json(items)}) as item(${THREAD}, "commentId" bigint, index integer)),
    organization as materialized (select 1 from (
      select distinct "apiKeyId", "organizationId" from item order by 1, 2) as item
      cross join lateral (select 1 from organizations
        where organizations.api_key_id = item."apiKeyId" and organizations.organization_id = item."organizationId"
        for key share) as held),
    document as materialized (select 1 from (
      select distinct "apiKeyId", "organizationId", "documentId" from item
        where (select count(*) from organization) >= 0 order by 1, 2, 3) as item
      cross join lateral (select 1 from documents
        where documents.api_key_id = item."apiKeyId" and documents.organization_id = item."organizationId"
          and documents.document_id = item."documentId" for key share) as held),
    thread as materialized (select item.*, held.visibility from (
      select "apiKeyId", "organizationId", "documentId", "annotationId", array_agg(index) as indexes,
        array_agg("commentId") as "commentIds"
      from item where (select count(*) from document) >= 0 group by 1, 2, 3, 4 order by 1, 2, 3, 4) as item
      cross join lateral (select visibility from annotations
        where annotations.api_key_id = item."apiKeyId" and annotations.organization_id = item."organizationId"
          and annotations.document_id = item."documentId" and annotations.annotation_id = item."annotationId"
        for share) as held)
    select item.index, thread.visibility
    from thread cross join lateral unnest(thread.indexes, thread."commentIds") as item(index, "commentId")
    where item."commentId" is null or exists (select 1 from comments
      where comments.api_key_id = thread."apiKeyId" and comments.organization_id = thread."organizationId"
        and comments.document_id = thread."documentId" and comments.annotation_id = thread."annotationId"
        and comments.comment_id = item."commentId" offset 0)`.execute(tx);
  const held = new Map(rows.map(({ index, visibility }) => [index, { visibility }]));
  return threads.map((_, index) => held.get(index));
}
