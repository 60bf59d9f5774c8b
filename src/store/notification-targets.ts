import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import { nullable } from './notifications.ts';

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

/** Lets those see what was told of a thread who may see the thread. */
export async function setVisibilityOfThread(
  tx: Tx,
  scope: Scope,
  thread: Thread,
  visibility: Record<string, unknown> | null,
): Promise<void> {
  await sql`update notifications set visibility = ${nullable(visibility)}
    where ${isOf(scope, thread)} and visibility is distinct from ${nullable(visibility)}`.execute(tx);
}

/** Holds a document until the transaction ends; false where it is gone. */
export async function lockDocument(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: { organizationId: string; documentId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}
