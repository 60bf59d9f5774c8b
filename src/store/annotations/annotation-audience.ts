import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/record.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope, TokenUser } from '../../lib/scope.ts';

/** Who may be told of an annotation among those who may read its document. */
export interface Reach {
  /** Undefined where everybody may see it. */
  visibility?: Fields | undefined;
  /** `field:value` pairs of which a reader needs one for each field. */
  accessFields?: unknown;
  /** Its author always may. */
  author: { userId: string };
}

/** What users hold in an organization, by what is stored of them. */
export interface Holdings {
  /** Every organization that they have a grant on. */
  organizationIds: string[];
  /** `field:value` pairs. */
  accessFields: string[];
}

export const reachOf = ({
  visibility,
  body,
  authorId,
}: Pick<StoredAnnotation, 'visibility' | 'body' | 'authorId'>): Reach => {
  const accessFields = (body.context as Fields | null | undefined)?.accessFields;
  return {
    ...(visibility && { visibility }),
    ...(accessFields !== undefined && { accessFields }),
    author: { userId: authorId },
  };
};

/** For the event of a change: who could be told of it before, where that is others than after it. */
export function reachBefore(before: StoredAnnotation, after: StoredAnnotation): { seenBefore?: Reach } {
  const seenBefore = reachOf(before);
  return isDeepStrictEqual(seenBefore, reachOf(after)) ? {} : { seenBefore };
}

export const isForEverybody = ({ visibility, accessFields }: Reach): boolean =>
  visibility === undefined && accessFields === undefined;

/** The condition `shownTo` of lists, for one annotation of an organization. */
export function reaches(reach: Reach, organizationId: string, userId: string, held: Holdings): boolean {
  if (reach.author.userId === userId) return true;
  return isVisible(reach.visibility, organizationId, userId, held) && holdsOneOfEach(reach, held);
}

function isVisible(
  visibility: Fields | undefined,
  ownOrganizationId: string,
  userId: string,
  { organizationIds }: Holdings,
): boolean {
  if (visibility === undefined) return true;
  const among = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);
  switch (visibility.type) {
    case 'public':
      return true;
    case 'restricted':
      return among(visibility.userIds).includes(userId);
    case 'organizationPrivate': {
      const named = among(visibility.organizationIds);
      const own = visibility.organizationIds === undefined ? ownOrganizationId : undefined;
      return [visibility.organizationId ?? own, ...named].some((id) =>
        organizationIds.includes(id as string),
      );
    }
    default:
      return false;
  }
}

function holdsOneOfEach(reach: Reach, { accessFields }: Holdings): boolean {
  if (!Array.isArray(reach.accessFields)) return true;
  const byField = Map.groupBy(reach.accessFields.map(String), (pair) => pair.split(':')[0]!);
  return [...byField.values()].every((pairs) => pairs.some((pair) => accessFields.includes(pair)));
}

/** What is stored, and what the token itself grants until now. */
export function withToken(
  held: Holdings,
  { resources }: TokenUser,
  organizationId: string,
  now: number,
): Holdings {
  const carried = resources.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  const here = carried.filter((grant) => grant.organizationId === organizationId);
  const organizations = carried.filter(({ type }) => type === 'organization');
  return {
    organizationIds: [...held.organizationIds, ...organizations.map(({ id }) => id)],
    accessFields: [...held.accessFields, ...here.flatMap(({ accessFields }) => accessFields ?? [])],
  };
}

/** What is stored of users as far as `loadReader` would load it, for many in one statement. */
export async function loadHoldings(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  userIds: string[],
): Promise<Map<string, Holdings>> {
  const { rows } = await sql<Holdings & { userId: string }>`
    select user_id,
      coalesce(jsonb_agg(distinct organization_id) filter (where resource_type = 'organization'), '[]')
        as organization_ids,
      coalesce(jsonb_agg(distinct field) filter (where organization_id = ${organizationId} and field is not null),
        '[]') as access_fields
    from grants left join lateral unnest(access_fields) as field on true
    where api_key_id = ${apiKeyId} and user_id = any(cast(${userIds} as text[]))
      and (expires_at is null or expires_at > cast(${Date.now()} as bigint))
    group by user_id`.execute(db);
  const found = new Map(rows.map(({ userId, ...held }) => [userId, held]));
  return new Map(userIds.map((id) => [id, found.get(id) ?? { organizationIds: [], accessFields: [] }]));
}

export interface AnnotationKey {
  documentId: string;
  annotationId: string;
}

export const annotationKey = ({ documentId, annotationId }: AnnotationKey): string =>
  JSON.stringify([documentId, annotationId]);

/** Who may be told of some annotations of an organization now, by `annotationKey`; those that are gone are missing. */
export async function loadReaches(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  annotations: AnnotationKey[],
): Promise<Map<string, Reach>> {
  const wanted = annotations.map(({ documentId, annotationId }) => ({ documentId, annotationId }));
  const { rows } = await sql<AnnotationKey & Pick<StoredAnnotation, 'visibility' | 'authorId' | 'body'>>`
    select annotations.document_id, annotations.annotation_id, annotations.visibility, annotations.author_id,
      jsonb_build_object('context', annotations.body -> 'context') as body
    from jsonb_to_recordset(${json(wanted)}) as item("documentId" text, "annotationId" text)
    join annotations on annotations.api_key_id = ${apiKeyId}
      and annotations.organization_id = ${organizationId} and annotations.document_id = item."documentId"
      and annotations.annotation_id = item."annotationId"`.execute(db);
  return new Map(rows.map((row) => [annotationKey(row), reachOf(row)]));
}
