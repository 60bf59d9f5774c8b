import { sql } from 'kysely';
import { annotationEvent } from '../../annotations/annotation-event.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { releaseFindings } from '../agents/suggestion-decisions.ts';
import { syncDeletedAnnotations } from '../memory/change-judgments.ts';
import { type Reworded, syncFindingJudgments } from '../memory/judgment-renewals.ts';
import { inChunks } from '../platform/in-chunks.ts';
import type { AgentAnnotation } from './agent-annotations.ts';
import { deleteRows } from './delete-annotations.ts';
import { emitStatusChanges, isRepaired, reopened } from './repaired-suggestions.ts';
import { updateAnnotations } from './update-annotations.ts';

export interface ReviewedPage {
  agentId: string;
  /** Without fragment. */
  agentUrl: string;
}

/**
 * Selects an agent's suggestions for one page of a document and locks them until the transaction ends. Returns
 * undefined if the document does not exist. The document is locked too, so that a concurrent run waits and then sees
 * what this one wrote.
 */
export async function lockSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  { agentId, agentUrl }: ReviewedPage,
): Promise<StoredAnnotation[] | undefined> {
  if (!(await lockReviewedDocument(tx, scope, document))) return undefined;
  return await suggestionsOf(tx, scope, document, agentId)
    .selectAll()
    .where('agentUrl', '=', agentUrl)
    .orderBy('annotationNumber')
    .forUpdate()
    .execute();
}

/** Locks a document for the rest of a transaction, so that runs on it wait for one another. False if it is gone. */
export async function lockReviewedDocument(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
): Promise<boolean> {
  const document = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return document !== undefined;
}

/** Selects from an agent's suggestions on a document. */
export const suggestionsOf = (
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  agentId: string,
) =>
  tx
    .selectFrom('annotations')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('agentId', '=', agentId);

/** Deletes suggestions that `lockSuggestions` returned. */
export async function deleteSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  rows: readonly StoredAnnotation[],
): Promise<void> {
  const ids = rows.map((row) => row.annotationId);
  await inChunks(ids, (part) => deleteRows(tx, scope, document, part));
  await releaseFindings(tx, scope, document, rows);
  await syncDeletedAnnotations(tx, scope, rows);
  await emitAll(
    tx,
    scope,
    'comment_annotation.delete',
    rows.map((row) => annotationEvent(row, { actionUser: actorOf(row), loud: true })),
  );
}

export interface Renewal {
  row: StoredAnnotation;
  /** The annotation that the agent would write now. */
  next: AgentAnnotation;
}

const PLACE_FIELDS = ['positionX', 'positionY', 'elementWidth', 'elementHeight', 'targetElement'] as const;

/**
 * Updates locked suggestions to the agent's latest findings: their place and the agent's words. Words that people have
 * edited stay. Repaired suggestions are opened again. Only a change of words or status raises an event.
 */
export async function renewSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  renewals: readonly Renewal[],
): Promise<void> {
  if (renewals.length === 0) return;
  const now = Date.now();
  const comments = await rewordComments(tx, scope, document, renewals, now);
  const reworded = new Set(comments.filter(({ isNew }) => isNew).map(({ annotationId }) => annotationId));
  const rows = renewals.map(({ row: before, next }): StoredAnnotation => {
    const row = isRepaired(before) ? reopened(before) : before;
    const proposedBefore = reasonOf(row.body).suggestion;
    const suggestion = row.body.suggestion as Fields | undefined;
    const isUnedited = suggestion?.summary === proposedBefore || suggestion?.summary === undefined;
    const { agent, suggestion: proposed } = next.body as { agent: Fields; suggestion: Fields };
    const rest = Object.entries(row.body).filter(
      ([name]) => !(PLACE_FIELDS as readonly string[]).includes(name),
    );
    const place = PLACE_FIELDS.flatMap((name) =>
      name in next.body ? [[name, next.body[name]] as const] : [],
    );
    return {
      ...row,
      executionId: next.executionId,
      agentUrl: next.agentUrl,
      causeId: next.causeId ?? null,
      body: {
        ...Object.fromEntries([...rest, ...place]),
        agent,
        ...(isUnedited && { suggestion: { ...suggestion, summary: proposed.summary } }),
      },
      lastUpdated: reworded.has(row.annotationId) ? Math.max(now, row.lastUpdated) : row.lastUpdated,
    };
  });
  await updateAnnotations(tx, rows);
  await syncFindingJudgments(tx, scope, rows, comments);
  await emitAll(
    tx,
    scope,
    'comment_annotation.update',
    rows
      .filter((row) => reworded.has(row.annotationId))
      .map((row) => annotationEvent(row, { actionUser: actorOf(row), loud: true })),
  );
  const back = renewals.flatMap(({ row }, index) => (isRepaired(row) ? [[row, rows[index]!] as const] : []));
  await emitStatusChanges(
    tx,
    scope,
    back.map(([before]) => before),
    back.map(([, after]) => after),
  );
}

/** Updates the agent's first comment on each annotation. `isNew` in the result marks changed words. */
async function rewordComments(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  renewals: readonly Renewal[],
  now: number,
): Promise<Reworded[]> {
  const comments = await tx
    .selectFrom('comments')
    .select(['annotationId', 'commentId', 'body', 'lastUpdated'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where(
      'annotationId',
      'in',
      renewals.map(({ row }) => row.annotationId),
    )
    .where('authorId', '=', renewals[0]!.next.agentId)
    .orderBy('createdAt')
    .orderBy('commentId')
    .forUpdate()
    .execute();
  const first = new Map(comments.reverse().map((comment) => [comment.annotationId, comment]));
  const changed = renewals.flatMap(({ row, next }) => {
    const comment = first.get(row.annotationId);
    if (!comment?.body.agent) return [];
    const { agent, commentText, commentHtml } = next.comment.body;
    const isNew = !comment.body.isEdited && comment.body.commentText !== commentText;
    const words = isNew ? { commentText, commentHtml } : {};
    return [
      {
        annotationId: row.annotationId,
        commentId: comment.commentId,
        body: { ...comment.body, agent, ...words },
        lastUpdated: isNew ? now : comment.lastUpdated,
        isNew,
        injected: next.injected,
      },
    ];
  });
  if (changed.length > 0) {
    await sql`
      update comments set body = item.body, last_updated = item."lastUpdated"
      from jsonb_to_recordset(${json(changed)}) as item("annotationId" text, "commentId" bigint, body jsonb,
        "lastUpdated" bigint)
      where comments.api_key_id = ${apiKeyId} and comments.organization_id = ${organizationId}
        and comments.document_id = ${documentId} and comments.annotation_id = item."annotationId"
        and comments.comment_id = item."commentId"`.execute(tx);
  }
  return changed;
}

const reasonOf = (body: Fields): Fields => ((body.agent as Fields | undefined)?.reason ?? {}) as Fields;

const actorOf = ({ agentId, body }: StoredAnnotation) => ({
  userId: agentId!,
  name: (body.agent as { agentName?: string } | undefined)?.agentName,
});
