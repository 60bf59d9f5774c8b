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

/** Deletes what was told of threads that are gone. */
export async function deleteOfThreads(tx: Tx, threads: Thread[]): Promise<void> {
  if (threads.length === 0) return;
  await sql`delete from notifications using jsonb_to_recordset(${json(threads)}) as item(${THREAD})
    where ${isOfItem}`.execute(tx);
}

/** Deletes what was told of comments that are gone. */
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

/** Lets those see what was told of threads who may see the threads; each thread comes once. */
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

/** Puts comments' words as they are now in place of those that were told of them; each comment comes once. */
export async function setWordsOfComments(tx: Tx, comments: WordsOfComment[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`update notifications set body = case when coalesce(item.words, '') = ''
      then notifications.body - 'displayBodyMessage'
      else notifications.body || jsonb_build_object('displayBodyMessage', item.words) end
    from jsonb_to_recordset(${json(comments)}) as item(${THREAD}, "commentId" text, words text)
    where ${isOfComment}`.execute(tx);
}

interface Held {
  visibility: Record<string, unknown> | null;
}

/**
 * Holds threads as they are until the transaction ends, and answers in the same order who may see each;
 * undefined where it or the comment is gone. Whatever changes one meanwhile waits, so that what is told of it
 * now hears of the change. What a notification is in is held before, in the order in which whoever deletes it
 * locks.
 */
export async function holdThreads(
  tx: Tx,
  threads: (Thread & { commentId: number | undefined })[],
): Promise<(Held | undefined)[]> {
  if (threads.length === 0) return [];
  const items = threads.map((thread, index) => ({ ...thread, index }));
  const { rows } = await sql<Held & { index: number }>`
    select item.index, annotations.visibility
    from jsonb_to_recordset(${json(items)}) as item(${THREAD}, "commentId" bigint, index integer)
    join organizations on organizations.api_key_id = item."apiKeyId"
      and organizations.organization_id = item."organizationId"
    join documents on documents.api_key_id = item."apiKeyId"
      and documents.organization_id = item."organizationId" and documents.document_id = item."documentId"
    join annotations on annotations.api_key_id = item."apiKeyId"
      and annotations.organization_id = item."organizationId" and annotations.document_id = item."documentId"
      and annotations.annotation_id = item."annotationId"
    where item."commentId" is null or exists (select 1 from comments
      where comments.api_key_id = item."apiKeyId" and comments.organization_id = item."organizationId"
        and comments.document_id = item."documentId" and comments.annotation_id = item."annotationId"
        and comments.comment_id = item."commentId")
    order by item."apiKeyId", item."organizationId", item."documentId", item."annotationId", item.index
    for key share of organizations, documents for share of annotations`.execute(tx);
  const held = new Map(rows.map(({ index, visibility }) => [index, { visibility }]));
  return threads.map((_, index) => held.get(index));
}
