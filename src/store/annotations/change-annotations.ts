import { sql } from 'kysely';
import { decisionsIn } from '../../annotations/decisions/from-revision.ts';
import { eventOf, type StoredAnnotation } from '../../annotations/record.ts';
import { type Revision, revise, type Told } from '../../annotations/revise.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { ItemResult } from '../../shapes/batch.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { renameReviewers } from '../memory/change-judgments.ts';
import { recordDecisions } from '../memory/record-judgments.ts';
import { reachBefore } from './annotation-audience.ts';
import { forgetViews, markViewed } from './annotation-views.ts';
import type { Place } from './comments.ts';
import { type Renames, renameCommentAuthors, renamed } from './rename-annotations.ts';
import { type AnnotationSelection, holdSelected } from './select-annotations.ts';

export interface Update {
  selection: AnnotationSelection;
  /** Undefined where the annotations themselves stay as they are. */
  changes: AnnotationChanges | undefined;
  renames: Renames;
  /** For whom they are seen, and for whom new again. */
  viewedByUserIds: readonly string[];
  unviewedByUserIds: readonly string[];
}

interface By {
  reader: Reader | undefined;
  actionUser: Partial<User> | undefined;
  loud: boolean;
  /** Throws where one of them is not the actor's to change. */
  mayChange(rows: readonly StoredAnnotation[]): unknown;
}

export const annotationMissing = (annotationId: string): ItemResult => ({
  success: false,
  id: annotationId,
  message: 'Annotation not found.',
  code: 'not-found',
});

/** Changes the selected annotations of a document; answers what became of each, and of those that are missing. */
export async function updateAnnotations(
  tx: Tx,
  scope: Scope,
  place: Place,
  update: Update,
  by: By,
): Promise<Map<string, ItemResult>> {
  const items = new Map<string, ItemResult>();
  for (const id of update.selection.annotationIds ?? []) items.set(id, annotationMissing(id));
  for await (const rows of holdSelected(tx, scope, place, update.selection, by.reader)) {
    by.mayChange(rows);
    for (const [id, item] of await updateHeld(tx, scope, place, rows, update, by)) items.set(id, item);
  }
  return items;
}

async function updateHeld(
  tx: Tx,
  scope: Scope,
  place: Place,
  rows: readonly StoredAnnotation[],
  { changes, renames, ...update }: Update,
  { actionUser, loud, reader }: By,
): Promise<[string, ItemResult][]> {
  const now = Date.now();
  const ids = rows.map((row) => row.annotationId);
  const inComments =
    renames.size > 0 ? await renameCommentAuthors(tx, scope, place, ids, renames) : new Set();
  await renameReviewers(tx, scope, place, ids, renames);
  const revisions: Revision[] = [];
  const items = rows.flatMap((row): [string, ItemResult][] => {
    const id = row.annotationId;
    const revision = changes
      ? revise(row, changes, { now, byUser: reader !== undefined })
      : { row, told: [] };
    if ('refused' in revision) {
      return [[id, { success: false, id, message: revision.refused, code: 'failed-precondition' }]];
    }
    const after = renamed(revision.row, renames);
    const told: Told[] =
      revision.told.length > 0 || !after
        ? revision.told
        : [{ name: 'comment_annotation.update', fields: {} }];
    const changed = after ?? revision.row;
    if (changes || after) {
      revisions.push({ row: changed, told: withReach(told, reachBefore(row, changed)) });
    }
    // Without a word of which ones, those count that have to do with the people.
    if (!changes && renames.size > 0 && !after && !inComments.has(id)) return [];
    return [[id, { success: true, id, message: 'Annotations updated successfully' }]];
  });
  await writeRows(
    tx,
    scope,
    place,
    revisions.map(({ row }) => row),
  );
  const lastUpdated = new Map(
    [...rows, ...revisions.map(({ row }) => row)].map((row) => [row.annotationId, row.lastUpdated]),
  );
  const done = items.filter(([, { success }]) => success).map(([id]) => id);
  const viewed = done.flatMap((annotationId) =>
    update.viewedByUserIds.map((userId) => ({
      annotationId,
      userId,
      viewedAt: Math.max(now, lastUpdated.get(annotationId)!),
    })),
  );
  await markViewed(tx, scope, place, viewed);
  await forgetViews(tx, scope, place, done, update.unviewedByUserIds);
  await recordDecisions(tx, scope, place, decisionsIn(revisions, changes, { actionUser, now }));
  await tell(tx, scope, revisions, { actionUser, loud });
  return items;
}

/** Whoever may see it no longer has to be told so once. */
const withReach = ([first, ...others]: Told[], reach: ReturnType<typeof reachBefore>): Told[] =>
  first ? [{ ...first, fields: { ...first.fields, ...reach } }, ...others] : [];

async function writeRows(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: Place,
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

/** One statement for each kind of event, in the order of the annotations. */
async function tell(
  tx: Tx,
  scope: Scope,
  revisions: readonly Revision[],
  by: { actionUser: Partial<User> | undefined; loud: boolean },
): Promise<void> {
  const all = revisions.flatMap(({ row, told }) => told.map(({ name, fields }) => ({ name, fields, row })));
  for (const [name, some] of Map.groupBy(all, (one) => one.name)) {
    await emitAll(
      tx,
      scope,
      name,
      some.map(({ row, fields }) => ({ ...eventOf(row, by), ...fields }) as never),
    );
  }
}
