import { sql } from 'kysely';
import { type Audience, audienceOf, type ReaderGrants } from '../../annotations/audience.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** The stored part of what `loadReader` loads, for many users in one statement. */
export async function loadReaderGrants(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  userIds: string[],
): Promise<Map<string, ReaderGrants>> {
  const { rows } = await sql<ReaderGrants & { userId: string }>`
    select user_id,
      coalesce(jsonb_agg(distinct organization_id) filter (where resource_type = 'organization'), '[]')
        as organization_ids,
      coalesce(jsonb_agg(distinct field) filter (where organization_id = ${organizationId} and field is not null),
        '[]') as access_fields
    from grants left join lateral unnest(access_fields) as field on true
    where api_key_id = ${apiKeyId} and user_id = any(cast(${userIds} as text[]))
      and (expires_at is null or expires_at > cast(${Date.now()} as bigint))
    group by user_id`.execute(db);
  const found = new Map(rows.map(({ userId, ...holdings }) => [userId, holdings]));
  return new Map(userIds.map((id) => [id, found.get(id) ?? { organizationIds: [], accessFields: [] }]));
}

export interface AnnotationKey {
  documentId: string;
  annotationId: string;
}

export const annotationKey = ({ documentId, annotationId }: AnnotationKey): string =>
  JSON.stringify([documentId, annotationId]);

/** The current audiences of annotations of an organization by `annotationKey`; deleted annotations are missing. */
export async function loadAudiences(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  annotations: AnnotationKey[],
): Promise<Map<string, Audience>> {
  const wanted = annotations.map(({ documentId, annotationId }) => ({ documentId, annotationId }));
  const { rows } = await sql<AnnotationKey & Pick<StoredAnnotation, 'visibility' | 'authorId' | 'body'>>`
    select annotations.document_id, annotations.annotation_id, annotations.visibility, annotations.author_id,
      jsonb_build_object('context', annotations.body -> 'context') as body
    from jsonb_to_recordset(${json(wanted)}) as item("documentId" text, "annotationId" text)
    join annotations on annotations.api_key_id = ${apiKeyId}
      and annotations.organization_id = ${organizationId} and annotations.document_id = item."documentId"
      and annotations.annotation_id = item."annotationId"`.execute(db);
  return new Map(rows.map((row) => [annotationKey(row), audienceOf(row)]));
}
