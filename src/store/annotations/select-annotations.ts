import { sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/record.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { type AnnotationFilter, matches, shownTo } from './annotation-filter.ts';
import type { Place } from './comments.ts';

/** How many are held in memory at once where all of a document are meant. */
const AT_ONCE = 1_000;

/** What may be named of a document's annotations; every field narrows, and none of them means all. */
export type AnnotationSelection = Pick<
  AnnotationFilter,
  'annotationIds' | 'locationIds' | 'userIds' | 'agentId' | 'agentSuggestions' | 'agentUrls'
>;

/**
 * The selected annotations, as many at once as memory bears, each held for a change until the transaction ends.
 * They come in the order of their ids, so that two changes at once cannot wait for each other's rows crosswise.
 */
export async function* holdSelected(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: Place,
  selection: AnnotationSelection,
  reader: Reader | undefined,
): AsyncGenerator<StoredAnnotation[]> {
  let last: string | undefined;
  do {
    const behind = last === undefined ? sql`` : sql`and annotations.annotation_id > ${last}`;
    const { rows } = await sql<StoredAnnotation>`
      select annotations.* from annotations
      where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
        and annotations.document_id = ${documentId} and ${matches(selection)} and ${shownTo(reader)} ${behind}
      order by annotations.annotation_id limit ${AT_ONCE}
      for update of annotations`.execute(tx);
    if (rows.length > 0) yield rows;
    last = rows.length === AT_ONCE ? rows.at(-1)!.annotationId : undefined;
  } while (last !== undefined);
}
