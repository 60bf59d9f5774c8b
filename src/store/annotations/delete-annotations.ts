import { sql } from 'kysely';
import { eventOf, type StoredAnnotation } from '../../annotations/record.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ItemResult } from '../../shapes/batch.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { syncDeletedAnnotations } from '../memory/change-judgments.ts';
import { annotationMissing } from './change-annotations.ts';
import type { Place } from './comments.ts';
import { type AnnotationSelection, holdSelected } from './select-annotations.ts';

interface By {
  reader: Reader | undefined;
  actionUser: User | undefined;
  loud: boolean;
  /** Throws where one of them is not the actor's to delete. */
  mayDelete(rows: readonly StoredAnnotation[]): void;
}

/** Deletes the selected annotations of a document with their comments; answers for each, and for those missing. */
export async function deleteAnnotations(
  tx: Tx,
  scope: Scope,
  place: Place,
  selection: AnnotationSelection,
  by: By,
): Promise<Map<string, ItemResult>> {
  const items = new Map<string, ItemResult>();
  for (const id of selection.annotationIds ?? []) items.set(id, annotationMissing(id));
  for await (const rows of holdSelected(tx, scope, place, selection, by.reader)) {
    by.mayDelete(rows);
    await deleteRows(tx, scope, place, rows);
    await syncDeletedAnnotations(tx, scope, rows);
    await emitAll(
      tx,
      scope,
      'comment_annotation.delete',
      rows.map((row) => eventOf(row, { actionUser: by.actionUser, loud: by.loud })),
    );
    for (const { annotationId: id } of rows) {
      items.set(id, { success: true, id, message: 'Deleted Successfully' });
    }
  }
  return items;
}

const deleteRows = (
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: Place,
  rows: readonly StoredAnnotation[],
) =>
  sql`
  delete from annotations
  where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
    and annotation_id = any(cast(${rows.map((row) => row.annotationId)} as text[]))`.execute(tx);
