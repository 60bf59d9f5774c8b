import { sql } from 'kysely';
import { z } from 'zod';
import { annotationEvent } from '../../annotations/annotation-event.ts';
import { audienceBefore, audienceOf, isInAudience } from '../../annotations/audience.ts';
import { judgmentOfDecision, type NewJudgment } from '../../annotations/decisions/build-judgment.ts';
import { decidersIn, decisionsIn } from '../../annotations/decisions/from-revision.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { type Renames, renamePeople } from '../../annotations/rename-people.ts';
import {
  type RaisedEvent,
  type Reviser,
  type Revision,
  revise,
} from '../../annotations/revise-annotation.ts';
import { inTransaction, type Statement } from '../../db/prepared.ts';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { ItemResult } from '../../shapes/batch.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { syncFindings } from '../agents/suggestion-decisions.ts';
import type { AuditRow } from '../audit/audit-hash.ts';
import { type AuditSource, auditRows, insertAudit } from '../audit/record-audit.ts';
import { renameReviewers } from '../memory/change-judgments.ts';
import { judgmentEventPayload } from '../memory/judgments.ts';
import { namelessIn, recordDecisions, threadOf } from '../memory/record-judgments.ts';
import { forgetViews, markViewed } from './annotation-views.ts';
import {
  eventOfAnnotation,
  eventOfJudgment,
  type Thread,
  type ThreadChange,
  type ThreadJudgment,
  threadChanges,
} from './change-threads.ts';
import { type AnnotationSelection, lockSelected } from './select-annotations.ts';

export interface AnnotationUpdate {
  selection: AnnotationSelection;
  /** Undefined if only people or views change. */
  changes: AnnotationChanges | undefined;
  renames: Renames;
  viewedByUserIds: readonly string[];
  unviewedByUserIds: readonly string[];
}

export interface UpdateContext {
  reader: Reader | undefined;
  actionUser: Partial<User> | undefined;
  loud: boolean;
  /** The name of the assistant through which the change is made. */
  assistant: string | undefined;
  /** True for a decision that is made as such: one by a person then takes the place of the same one by an assistant. */
  confirms?: boolean;
  /** Who decides, for the audit log; undefined if the caller records the decisions itself. */
  auditSource?: AuditSource;
  /** Throws if the actor may not change one of the annotations. */
  requireMayChange(rows: readonly StoredAnnotation[]): void;
}

export const annotationMissing = (annotationId: string): ItemResult => ({
  success: false,
  id: annotationId,
  message: 'Annotation not found.',
  code: 'not-found',
});

/** The result of an annotation by its id. */
export type ChangedAnnotation = [annotationId: string, ItemResult];

const changing = threadChanges<ChangedAnnotation>();

/**
 * A statement that changes the selected annotations of a document. It returns a result for each, also for named ones
 * that are missing.
 */
export function annotationUpdate(
  scope: Scope,
  document: DocumentRef,
  update: AnnotationUpdate,
  context: UpdateContext,
): Statement<ChangedAnnotation> {
  const work = async (tx: Tx) => [...(await updateAnnotations(tx, scope, document, update, context))];
  const { annotationIds: [annotationId, ...others] = [], ...filters } = update.selection;
  const isPlain =
    annotationId !== undefined &&
    others.length === 0 &&
    Object.values(filters).every((filter) => filter === undefined) &&
    update.renames.size === 0 &&
    update.unviewedByUserIds.length === 0;
  const { changes } = update;
  if (!isPlain || !changes) return inTransaction(work);
  return changing({
    scope,
    annotation: { ...document, annotationId },
    reads: {
      commentIds: [],
      userIds: namelessIn(decidersIn(changes, context.actionUser)),
      mentions: changes.status !== undefined || changes.suggestion !== undefined,
    },
    size: JSON.stringify(changes).length * 2,
    changeOf: (thread, now) => changeOf(scope, thread, { ...update, changes }, context, now),
    inTransaction: work,
  });
}

/** The same as `updateLocked`, for one annotation that has been read. */
function changeOf(
  scope: Scope,
  { row: { version: _, ...row }, judgments, tagged, people }: Thread,
  { changes, viewedByUserIds }: AnnotationUpdate & { changes: AnnotationChanges },
  context: UpdateContext,
  now: number,
): ThreadChange<ChangedAnnotation> | undefined {
  const { actionUser, loud, reader, assistant } = context;
  if (reader && !isInAudience(audienceOf(row), row.organizationId, reader.userId, reader)) return undefined;
  context.requireMayChange([row]);
  const revised = revise(row, changes, reviserOf(context, now));
  if ('refused' in revised) return undefined;
  const revision = withRename(row, revised, undefined);
  const names = new Map(people.map((person) => [person.userId, person]));
  const recorded = decisionsIn([revision], changes, { actionUser, assistant, now }).map(
    ({ row: on, decided }) => {
      const decision = {
        ...decided,
        by: (decided.by.name === undefined && names.get(decided.by.userId)) || decided.by,
      };
      const thread = threadOf(judgments, tagged, decision);
      const judgment = judgmentOfDecision(on, decision, thread, thread.earlierId ?? undefined);
      const earlier = judgments.find(({ judgmentId }) => judgmentId === thread.earlierId);
      return { judgment, stored: earlier ? replacing(earlier, judgment) : judgment };
    },
  );
  const { annotationId, organizationId, documentId, lastUpdated } = revision.row;
  const at = { organizationId, documentId, annotationId };
  return {
    annotation: revision.row,
    comments: [],
    judgments: recorded.map(({ stored }) => stored),
    views: [...new Set(viewedByUserIds)].map((userId) => ({ userId, viewedAt: lastUpdated })),
    events: [
      ...recorded.map(({ judgment }) => eventOfJudgment(judgmentEventPayload(judgment))),
      ...revision.events.map(({ name, fields }) =>
        eventOfAnnotation(name, { ...at, actionUser, loud, ...fields } as never),
      ),
    ],
    audits: auditOf(scope, [[row, revision.row]], context),
    rows: [updated(annotationId)],
  };
}

/** Entries for the annotations on whose suggestions a change decides. */
function auditOf(
  scope: Scope,
  changed: readonly (readonly [before: StoredAnnotation, after: StoredAnnotation])[],
  { auditSource }: UpdateContext,
): AuditRow[] {
  if (!auditSource) return [];
  const acts = changed
    .filter(
      ([before, after]) =>
        before.suggestionStatus !== after.suggestionStatus ||
        (after.agentId !== null && before.statusId !== after.statusId),
    )
    .map(([before, after]) => ({
      action: 'suggestion.decided' as const,
      id: after.annotationId,
      organizationId: after.organizationId,
      documentId: after.documentId,
      before: decisionIn(before),
      after: decisionIn(after),
    }));
  return auditRows(scope, auditSource, acts);
}

const decisionIn = ({ suggestionStatus, statusId }: StoredAnnotation) => ({
  ...(suggestionStatus !== null && { suggestion: suggestionStatus }),
  status: statusId,
});

const reviserOf = ({ reader, assistant, confirms }: UpdateContext, now: number): Reviser => ({
  now,
  byUser: reader !== undefined,
  assistant,
  confirms,
});

/** Without new words, a judgment keeps its vectors. */
const replacing = (earlier: ThreadJudgment, { mentions: _, ...judgment }: NewJudgment) => ({
  ...earlier,
  ...judgment,
  isReworded: (['decision', 'reasoning', 'content'] as const).some((key) => earlier[key] !== judgment[key]),
});

const updated = (id: string): ChangedAnnotation => [
  id,
  { success: true, id, message: 'Annotations updated successfully' },
];

/** The same in a transaction. Returns a result by the id of each annotation. */
export async function updateAnnotations(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  update: AnnotationUpdate,
  context: UpdateContext,
): Promise<Map<string, ItemResult>> {
  const items = new Map<string, ItemResult>();
  for (const id of update.selection.annotationIds ?? []) items.set(id, annotationMissing(id));
  for await (const rows of lockSelected(tx, scope, document, update.selection, context.reader)) {
    context.requireMayChange(rows);
    for (const [id, item] of await updateLocked(tx, scope, document, rows, update, context)) {
      items.set(id, item);
    }
  }
  return items;
}

async function updateLocked(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  rows: readonly StoredAnnotation[],
  { changes, renames, ...update }: AnnotationUpdate,
  context: UpdateContext,
): Promise<[string, ItemResult][]> {
  const { actionUser, loud, assistant } = context;
  const now = Date.now();
  const ids = rows.map((row) => row.annotationId);
  const inComments =
    renames.size > 0 ? await renameCommentAuthors(tx, scope, document, ids, renames) : new Set();
  await renameReviewers(tx, scope, document, ids, renames);
  const revisions: Revision[] = [];
  const items = rows.flatMap((row): ChangedAnnotation[] => {
    const id = row.annotationId;
    const revision = changes ? revise(row, changes, reviserOf(context, now)) : { row, events: [] };
    if ('refused' in revision) {
      return [[id, { success: false, id, message: revision.refused, code: 'failed-precondition' }]];
    }
    const after = renamePeople(revision.row, renames);
    if (changes || after) revisions.push(withRename(row, revision, after));
    // A rename without a selection answers only for annotations that name these people.
    if (!changes && renames.size > 0 && !after && !inComments.has(id)) return [];
    return [updated(id)];
  });
  const after = revisions.map(({ row }) => row);
  await writeRows(tx, scope, document, after);
  await syncFindings(tx, scope, document, after);
  const earlier = new Map(rows.map((row) => [row.annotationId, row]));
  const pairs = after.map((row) => [earlier.get(row.annotationId)!, row] as const);
  await insertAudit(tx, auditOf(scope, pairs, context));
  const lastUpdated = new Map([...rows, ...after].map((row) => [row.annotationId, row.lastUpdated]));
  const updatedIds = items.filter(([, { success }]) => success).map(([id]) => id);
  const views = updatedIds.flatMap((annotationId) =>
    update.viewedByUserIds.map((userId) => ({
      annotationId,
      userId,
      viewedAt: Math.max(now, lastUpdated.get(annotationId)!),
    })),
  );
  await markViewed(tx, scope, document, views);
  await forgetViews(tx, scope, document, updatedIds, update.unviewedByUserIds);
  await recordDecisions(tx, scope, document, decisionsIn(revisions, changes, { actionUser, assistant, now }));
  await emitRevisions(tx, scope, revisions, { actionUser, loud });
  return items;
}

/** The revision with people renamed; its first event names the audience that the change leaves out. */
function withRename(
  before: StoredAnnotation,
  revision: Revision,
  after: StoredAnnotation | undefined,
): Revision {
  const row = after ?? revision.row;
  const events: RaisedEvent[] =
    revision.events.length > 0 || !after
      ? revision.events
      : [{ name: 'comment_annotation.update', fields: {} }];
  const [first, ...others] = events;
  if (!first) return { row, events };
  const fields = { ...first.fields, ...audienceBefore(before, row) };
  return { row, events: [{ ...first, fields }, ...others] };
}

async function writeRows(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  rows: readonly StoredAnnotation[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update annotations set author_id = item."authorId", status_id = item."statusId",
      location_id = item."locationId", suggestion_status = item."suggestionStatus", visibility = item.visibility,
      body = item.body, last_updated = item."lastUpdated"
    from jsonb_to_recordset(${json(rows)}) as item("annotationId" text, "authorId" text, "statusId" text,
      "locationId" text, "suggestionStatus" text, visibility jsonb, body jsonb, "lastUpdated" bigint)
    where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
      and annotations.document_id = ${documentId} and annotations.annotation_id = item."annotationId"`.execute(
    tx,
  );
}

const renamedRow = z.object({ annotationId: z.string() });

/** Renames the authors of comments on these annotations. Returns the annotations that have such comments. */
async function renameCommentAuthors(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  annotationIds: readonly string[],
  renames: Renames,
): Promise<Set<string>> {
  const items = [...renames].map(([oldId, user]) => ({ oldId, newId: user.userId, user }));
  const rows = await rowsOf(
    tx,
    renamedRow,
    sql`
    update comments set author_id = item."newId", body = comments.body || jsonb_build_object('from', item."user")
    from jsonb_to_recordset(${json(items)}) as item("oldId" text, "newId" text, "user" jsonb)
    where comments.api_key_id = ${apiKeyId} and comments.organization_id = ${organizationId}
      and comments.document_id = ${documentId}
      and comments.annotation_id = any(cast(${annotationIds} as text[]))
      and comments.author_id = item."oldId"
    returning comments.annotation_id`,
  );
  return new Set(rows.map((row) => row.annotationId));
}

/** One statement for each kind of event, in the order of the annotations. */
async function emitRevisions(
  tx: Tx,
  scope: Scope,
  revisions: readonly Revision[],
  details: { actionUser: Partial<User> | undefined; loud: boolean },
): Promise<void> {
  const raised = revisions.flatMap(({ row, events }) =>
    events.map(({ name, fields }) => ({ name, payload: { ...annotationEvent(row, details), ...fields } })),
  );
  for (const [name, ofKind] of Map.groupBy(raised, (event) => event.name)) {
    // `revise` gives each kind of event its own fields, which a list of all kinds cannot express.
    await emitAll(tx, scope, name, ofKind.map(({ payload }) => payload) as never);
  }
}
