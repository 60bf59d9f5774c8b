import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import { accessColumn, nullable } from './notifications.ts';

interface Thread {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

const isOf = (
  { apiKeyId }: Scope,
  thread: Thread,
): RawBuilder<SqlBool> => sql<SqlBool>`api_key_id = ${apiKeyId}
  and organization_id = ${thread.organizationId} and document_id = ${thread.documentId}
  and target_annotation_id = ${thread.annotationId}`;

/** Deletes what was told of a thread that is gone. */
export async function deleteOfThread(tx: Tx, scope: Scope, thread: Thread): Promise<void> {
  await sql`delete from notifications where ${isOf(scope, thread)}`.execute(tx);
}

/** Deletes what was told of a comment that is gone. */
export async function deleteOfComment(
  tx: Tx,
  scope: Scope,
  thread: Thread,
  commentId: number,
): Promise<void> {
  await sql`delete from notifications where ${isOf(scope, thread)}
    and body -> 'notificationSourceData' ->> 'commentId' = ${String(commentId)}`.execute(tx);
}

interface Readers {
  visibility: Record<string, unknown> | null;
  accessFields: string[] | null;
}

/** Lets those see what was told of a thread who may see the thread. */
export async function setReadersOfThread(
  tx: Tx,
  scope: Scope,
  thread: Thread,
  { visibility, accessFields }: Readers,
): Promise<void> {
  const [visible, fields] = [nullable(visibility), accessColumn(accessFields)];
  await sql`update notifications set visibility = ${visible}, access_fields = ${fields}
    where ${isOf(scope, thread)}
      and (visibility is distinct from ${visible} or access_fields is distinct from ${fields})`.execute(tx);
}

/** Puts a comment's words as they are now in place of those that were told of it. */
export async function setWordsOfComment(
  tx: Tx,
  scope: Scope,
  thread: Thread,
  { commentId, words = '' }: { commentId: number; words: string | undefined },
): Promise<void> {
  await sql`update notifications set body = case when ${words} = '' then body - 'displayBodyMessage'
      else body || jsonb_build_object('displayBodyMessage', cast(${words} as text)) end
    where ${isOf(scope, thread)}
      and body -> 'notificationSourceData' ->> 'commentId' = ${String(commentId)}`.execute(tx);
}

/**
 * Holds a thread as it is until the transaction ends, and answers who may see it; undefined where it or the
 * comment is gone. Whatever changes it meanwhile waits, so that what is told of it now hears of the change.
 * What a notification is in is held before, in the order in which whoever deletes it locks.
 */
export async function holdThread(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId }: Thread,
  commentId: number | undefined,
): Promise<{ visibility: Record<string, unknown> | null } | undefined> {
  const { rows } = await sql<{ visibility: Record<string, unknown> | null }>`
    select annotations.visibility from organizations
    join documents using (api_key_id, organization_id)
    join annotations using (api_key_id, organization_id, document_id)
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId}
      and document_id = ${documentId} and annotations.annotation_id = ${annotationId}
      and (cast(${commentId ?? null} as bigint) is null or exists (select 1 from comments
        where comments.api_key_id = ${apiKeyId} and comments.organization_id = ${organizationId}
          and comments.document_id = ${documentId} and comments.annotation_id = ${annotationId}
          and comments.comment_id = cast(${commentId ?? null} as bigint)))
    for key share of organizations, documents for share of annotations`.execute(tx);
  return rows[0];
}
