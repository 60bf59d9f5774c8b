import { type Expression, type SqlBool, sql } from 'kysely';
import { annotationEvent } from '../../annotations/annotation-event.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Location } from '../../shapes/annotations/location.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { documentMissing } from '../documents/documents.ts';
import { syncDeletedAnnotations } from '../memory/change-judgments.ts';
import { inChunks } from '../platform/in-chunks.ts';
import { deleteRows } from './delete-annotations.ts';

const onLocation = ({ apiKeyId }: Scope, { organizationId, documentId }: DocumentRef, locationId: string) =>
  condition`api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
    and location_id = ${locationId}`;

/** Locks the document exclusively, so that no annotation or notification is added or deleted meanwhile. */
async function lockExclusively(tx: Tx, { apiKeyId }: Scope, document: DocumentRef): Promise<void> {
  const row = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw documentMissing();
}

/** Moves annotations and notifications to another location, which must be empty unless `merge` is set. */
export async function moveLocation(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  { from, to, merge }: { from: Location; to: Location; merge: boolean },
): Promise<void> {
  await lockExclusively(tx, scope, document);
  if (!merge && (await hasData(tx, scope, document, to.id))) {
    throw failedPrecondition(`The location ${to.id} has data already; merge: true puts both together.`);
  }
  const there = onLocation(scope, document, from.id);
  const now = Date.now();
  const moved = { locationId: to.id, body: sql<Fields>`body || ${json({ location: to })}` };
  await inChunks(await annotationsOn(tx, there), async (annotationIds) => {
    const rows = await tx
      .updateTable('annotations')
      .set({ ...moved, lastUpdated: now })
      .where(there)
      .where('annotationId', 'in', annotationIds)
      .returningAll()
      .execute();
    await emitAll(tx, scope, 'comment_annotation.update', rows.map(quietEvent));
  });
  await tx
    .updateTable('notifications')
    .set({ ...moved, updatedAt: now })
    .where(there)
    .execute();
}

async function hasData(tx: Tx, scope: Scope, document: DocumentRef, locationId: string): Promise<boolean> {
  const there = onLocation(scope, document, locationId);
  const { hasAnnotations, hasNotifications } = await tx
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('annotations').select('annotationId').where(there)).as('hasAnnotations'),
      eb.exists(eb.selectFrom('notifications').select('notificationId').where(there)).as('hasNotifications'),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(hasAnnotations) || Boolean(hasNotifications);
}

/** Deletes annotations and notifications of a location. */
export async function deleteLocationData(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  locationId: string,
): Promise<void> {
  await lockExclusively(tx, scope, document);
  const there = onLocation(scope, document, locationId);
  await inChunks(await annotationsOn(tx, there), async (annotationIds) => {
    const rows = await tx
      .selectFrom('annotations')
      .selectAll()
      .where(there)
      .where('annotationId', 'in', annotationIds)
      .orderBy('annotationId')
      .forUpdate()
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.annotationId);
    await deleteRows(tx, scope, document, ids);
    await syncDeletedAnnotations(tx, scope, rows);
    await emitAll(tx, scope, 'comment_annotation.delete', rows.map(quietEvent));
  });
  await tx.deleteFrom('notifications').where(there).execute();
}

/** The event of an API key's change, which notifies no user. */
const quietEvent = (row: StoredAnnotation) => annotationEvent(row, { loud: false });

async function annotationsOn(tx: Tx, there: Expression<SqlBool>): Promise<string[]> {
  const rows = await tx
    .selectFrom('annotations')
    .select('annotationId')
    .where(there)
    .orderBy('annotationId')
    .execute();
  return rows.map((row) => row.annotationId);
}
