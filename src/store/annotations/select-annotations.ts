import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { anyOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { type AnnotationFilter, matches, shownTo } from './annotation-filter.ts';

/** Most annotations in memory at once. */
const BATCH_SIZE = 1_000;

/** The filters by which changes and deletions select annotations of a document; without any, all are selected. */
export type AnnotationSelection = Pick<
  AnnotationFilter,
  'annotationIds' | 'locationIds' | 'userIds' | 'agentId' | 'agentSuggestions' | 'agentUrls'
>;

/**
 * Yields the selected annotations in batches, each locked until the transaction ends. Locks are taken in the order of
 * the ids, so that concurrent changes cannot deadlock.
 */
export async function* lockSelected(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  selection: AnnotationSelection,
  reader: Reader | undefined,
): AsyncGenerator<StoredAnnotation[]> {
  const selected = tx
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where(matches(selection))
    .where(shownTo(reader))
    .orderBy('annotationId')
    .limit(BATCH_SIZE)
    .forUpdate('annotations');
  let last: string | undefined;
  do {
    const batch = last === undefined ? selected : selected.where('annotationId', '>', last);
    const rows = await batch.execute();
    if (rows.length > 0) yield rows;
    last = rows.length === BATCH_SIZE ? rows.at(-1)!.annotationId : undefined;
  } while (last !== undefined);
}

/** Annotations of documents of an organization by their ids; missing ones are left out. */
export const annotationsNamed = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  documentIds: readonly string[],
  annotationIds: readonly string[],
): Promise<StoredAnnotation[]> =>
  db
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', anyOf(documentIds))
    .where('annotationId', '=', anyOf(annotationIds))
    .execute();
