import { annotationEvent } from '../../annotations/annotation-event.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ItemResult } from '../../shapes/batch.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { releaseFindings } from '../agents/suggestion-decisions.ts';
import { releaseOnAnnotations } from '../attachments/release-attachments.ts';
import { syncDeletedAnnotations } from '../memory/change-judgments.ts';
import { annotationMissing } from './change-annotations.ts';
import { type AnnotationSelection, lockSelected } from './select-annotations.ts';

interface DeletionContext {
  reader: Reader | undefined;
  actionUser: User | undefined;
  loud: boolean;
  /** Throws if the actor may not delete one of the annotations. */
  requireMayDelete(rows: readonly StoredAnnotation[]): void;
}

/** Deletes the selected annotations with their comments. Returns a result for each, also for missing ones. */
export async function deleteAnnotations(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  selection: AnnotationSelection,
  { reader, actionUser, loud, requireMayDelete }: DeletionContext,
): Promise<Map<string, ItemResult>> {
  const items = new Map<string, ItemResult>();
  for (const id of selection.annotationIds ?? []) items.set(id, annotationMissing(id));
  for await (const rows of lockSelected(tx, scope, document, selection, reader)) {
    requireMayDelete(rows);
    await deleteRows(
      tx,
      scope,
      document,
      rows.map((row) => row.annotationId),
    );
    await releaseFindings(tx, scope, document, rows);
    await syncDeletedAnnotations(tx, scope, rows);
    await emitAll(
      tx,
      scope,
      'comment_annotation.delete',
      rows.map((row) => annotationEvent(row, { actionUser, loud })),
    );
    for (const { annotationId: id } of rows) {
      items.set(id, { success: true, id, message: 'Deleted Successfully' });
    }
  }
  return items;
}

/** Deletes annotations with all that belongs to them. */
export async function deleteRows(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  annotationIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('annotations')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .where('annotationId', 'in', annotationIds)
    .execute();
  await releaseOnAnnotations(tx, scope, document, annotationIds);
}
