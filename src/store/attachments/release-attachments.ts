import { sql } from 'kysely';
import { anyOf, condition, json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

/*
 * What deletes comments, annotations or documents lets go of their files afterwards in the same transaction: a foreign key
 * that did it would set columns of a key with the API key in it, which Citus refuses. A file is announced under a lock of its
 * document and held under a lock of its comment, so the deletion waits for that, and the next statement sees it.
 */

type Key = Pick<Scope, 'apiKeyId'>;

const OF_NO_COMMENT = { annotationId: null, commentId: null };

/** Lets go of the files on deleted documents, or on all documents of deleted organizations. */
export async function releaseOnDocuments(
  tx: Tx,
  { apiKeyId }: Key,
  organizationIds: readonly string[],
  documentIds?: readonly string[],
): Promise<void> {
  await tx
    .updateTable('attachments')
    .set({ documentId: null, ...OF_NO_COMMENT })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', anyOf(organizationIds))
    .where('documentId', 'is not', null)
    .$if(documentIds !== undefined, (query) => query.where('documentId', '=', anyOf(documentIds ?? [])))
    .execute();
}

/** Lets go of the files of the comments of deleted annotations. */
export async function releaseOnAnnotations(
  tx: Tx,
  { apiKeyId }: Key,
  { organizationId, documentId }: DocumentRef,
  annotationIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable('attachments')
    .set(OF_NO_COMMENT)
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', anyOf(annotationIds))
    .where('commentId', 'is not', null)
    .execute();
}

/** Lets go of the files of deleted comments of an organization; the rows name their keys by columns. */
export async function releaseOnComments(
  tx: Tx,
  { apiKeyId }: Key,
  organizationId: string,
  rows: readonly object[],
): Promise<void> {
  await tx
    .updateTable('attachments')
    .set(OF_NO_COMMENT)
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where(
      condition`(document_id, annotation_id, comment_id) in (${sql`
        select * from jsonb_to_recordset(${json(rows)})
          as item(document_id text, annotation_id text, comment_id bigint)`})`,
    )
    .where('commentId', 'is not', null)
    .execute();
}
