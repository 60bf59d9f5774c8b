import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** How many of these judgments stand and are of one of these organizations; '' is none. */
export async function countJudgmentsAmong(
  db: Db,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
  organizationIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select cast(count(*) as integer) as many from judgments
    where api_key_id = ${apiKeyId} and judgment_id = any(cast(${[...judgmentIds]} as text[]))
      and organization_id = any(cast(${[...organizationIds]} as text[]))`.execute(db);
  return rows[0]!.many;
}

/** Who decided, and why, of these judgments; those that were revoked are missing. */
export async function reviewersOf(
  db: Db,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<Map<string, { actionUser: Record<string, unknown>; reasoning: string }>> {
  if (judgmentIds.length === 0) return new Map();
  const { rows } = await sql<{ judgmentId: string; actionUser: Record<string, unknown>; reasoning: string }>`
    select judgment_id, action_user, reasoning from judgments
    where api_key_id = ${apiKeyId} and judgment_id = any(cast(${[...judgmentIds]} as text[]))`.execute(db);
  return new Map(rows.map(({ judgmentId, ...row }) => [judgmentId, row]));
}

interface AnnotationPlace {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/** What each annotation that was judged says, by `annotationKey`; those that are gone are missing. */
export async function judgedAnnotations(
  db: Db,
  { apiKeyId }: Scope,
  judged: readonly (Omit<AnnotationPlace, 'annotationId'> & { annotationId: string | null })[],
): Promise<Map<string, Record<string, unknown>>> {
  const places = judged.filter((one): one is AnnotationPlace => one.annotationId !== null);
  if (places.length === 0) return new Map();
  const { rows } = await sql<AnnotationPlace & { body: Record<string, unknown> }>`
    select annotations.organization_id, annotations.document_id, annotations.annotation_id, annotations.body
    from unnest(cast(${places.map((one) => one.organizationId)} as text[]),
        cast(${places.map((one) => one.documentId)} as text[]),
        cast(${places.map((one) => one.annotationId)} as text[])) as wanted (organization_id, document_id, annotation_id)
      join annotations on annotations.api_key_id = ${apiKeyId}
        and annotations.organization_id = wanted.organization_id
        and annotations.document_id = wanted.document_id
        and annotations.annotation_id = wanted.annotation_id`.execute(db);
  return new Map(rows.map(({ body, ...place }) => [annotationKey(place), body]));
}

export const annotationKey = (
  place: Omit<AnnotationPlace, 'annotationId'> & { annotationId: string | null },
): string => JSON.stringify([place.organizationId, place.documentId, place.annotationId]);
