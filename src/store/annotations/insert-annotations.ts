import { sql } from 'kysely';
import type { AnnotationDraft } from '../../annotations/annotation-draft.ts';
import {
  annotationEvent,
  eventsTooLarge,
  MAX_EVENT_CHARS,
  recordSizeOf,
} from '../../annotations/annotation-event.ts';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { judgmentOfComment } from '../../annotations/decisions/build-judgment.ts';
import { plainTextOfComment } from '../../annotations/decisions/judgment-content.ts';
import { recordOfComment, type StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { writeAllJudgments } from '../memory/record-judgments.ts';
import { markViewed } from './annotation-views.ts';
import { insertCommentRows } from './comment-rows.ts';

/** A statement has room for some 9,000 events, and an annotation may start with many comments. */
const EVENTS_AT_ONCE = 1_000;

/**
 * Inserts annotations with their comments on a locked document, numbered in the given order. Returns the numbers of
 * the comments by annotation; annotations whose id is taken are left out.
 */
export async function insertAnnotations(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  drafts: readonly AnnotationDraft[],
  { byUser }: { byUser: boolean },
): Promise<Map<string, number[]>> {
  const repeatedChars = drafts.map(({ row, comments }) =>
    comments.length === 1 ? 0 : comments.length * recordSizeOf(row),
  );
  if (repeatedChars.reduce((sum, size) => sum + size, 0) > MAX_EVENT_CHARS) throw eventsTooLarge();
  const numberOf = await insertRows(
    tx,
    scope,
    document,
    drafts.map(({ row }) => row),
  );
  const added = drafts.flatMap(
    ({ row, comments }): { row: StoredAnnotation; comments: PreparedComment[] }[] => {
      const annotationNumber = numberOf.get(row.annotationId);
      return annotationNumber === undefined ? [] : [{ row: { ...row, annotationNumber }, comments }];
    },
  );
  if (added.length === 0) return new Map();
  const updated = new Map(added.map(({ row }) => [row.annotationId, row.lastUpdated]));
  const newComments = added.flatMap(({ row, comments }) =>
    comments.map((comment) => ({ annotationId: row.annotationId, comment })),
  );
  const numbers = await insertCommentRows(tx, scope, document, newComments);
  const commentIds = new Map(newComments.map(({ comment }, index) => [comment, numbers[index]!]));
  await markViewed(
    tx,
    scope,
    document,
    newComments.map(({ annotationId, comment }) => ({
      annotationId,
      userId: comment.from.userId,
      viewedAt: Math.max(Date.now(), updated.get(annotationId)!),
    })),
  );
  const judgments = added.flatMap(({ row, comments: [first, ...others] }) => {
    const numbered = (comment: PreparedComment) => ({ ...comment, commentId: commentIds.get(comment)! });
    const opening = plainTextOfComment(first!.body);
    return [
      judgmentOfComment(row, numbered(first!), undefined),
      ...others.map((comment) => judgmentOfComment(row, numbered(comment), opening)),
    ];
  });
  await writeAllJudgments(
    tx,
    scope,
    judgments.filter((judgment) => judgment !== undefined),
  );
  const toEvent = (row: StoredAnnotation, comment: PreparedComment) =>
    annotationEvent(row, {
      actionUser: comment.from,
      targetComment: recordOfComment({ ...comment, commentId: commentIds.get(comment)! }),
      loud: byUser || comment.triggerNotification,
      logged: byUser || comment.triggerActivities,
    });
  const firsts = added.map(({ row, comments }) => toEvent(row, comments[0]!));
  await emitAll(tx, scope, 'comment_annotation.add', firsts);
  const others = added.flatMap(({ row, comments }) =>
    comments.slice(1).map((comment) => toEvent(row, comment)),
  );
  for (let from = 0; from < others.length; from += EVENTS_AT_ONCE) {
    await emitAll(tx, scope, 'comment.add', others.slice(from, from + EVENTS_AT_ONCE));
  }
  return new Map(
    added.map(({ row, comments }) => [row.annotationId, comments.map((comment) => commentIds.get(comment)!)]),
  );
}

/**
 * Inserts the rows whose ids are free, and returns their numbers by id. The update of the document makes concurrent
 * insertions wait for the end of this transaction, so that numbers follow the order of commits. If such a transaction
 * took an id just before, the number drawn here stays unused.
 */
async function insertRows(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  rows: readonly AnnotationDraft['row'][],
): Promise<Map<string, number>> {
  const { rows: written } = await sql<{ annotationId: string; annotationNumber: number }>`
    with free as materialized (
      select item.*, cast(row_number() over (order by position) as integer) as nth
      from rows from (jsonb_to_recordset(${json(rows)}) as ("annotationId" text, "authorId" text, "statusId" text,
        "locationId" text, "agentId" text, "executionId" text, "agentUrl" text, "suggestionStatus" text,
        visibility jsonb, body jsonb, "createdAt" bigint, "lastUpdated" bigint)) with ordinality as item(
        annotation_id, author_id, status_id, location_id, agent_id, execution_id, agent_url, suggestion_status,
        visibility, body, created_at, last_updated, position)
      where not exists (select from annotations where api_key_id = ${apiKeyId}
        and organization_id = ${organizationId} and document_id = ${documentId}
        and annotations.annotation_id = item.annotation_id)),
    numbered as (
      update documents set next_annotation_number = next_annotation_number + (select count(*) from free)
      where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
        and exists (select from free)
      returning next_annotation_number - (select cast(count(*) as integer) from free) as first)
    insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number, author_id,
      status_id, location_id, agent_id, execution_id, agent_url, suggestion_status, visibility, body, created_at,
      last_updated)
    select ${apiKeyId}, ${organizationId}, ${documentId}, annotation_id, first + nth - 1, author_id, status_id,
      location_id, agent_id, execution_id, agent_url, suggestion_status, visibility, body, created_at, last_updated
    from free, numbered
    order by nth
    on conflict do nothing
    returning annotation_id, annotation_number`.execute(tx);
  return new Map(written.map((row) => [row.annotationId, row.annotationNumber]));
}
