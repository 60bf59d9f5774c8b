import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../lib/json.ts';
import type { TokenUser } from '../lib/scope.ts';
import type { StoredAnnotation } from './present-annotation.ts';

/** The readers of a document who may see an annotation on it. */
export interface Audience {
  /** Undefined for public annotations. */
  visibility?: Fields | undefined;
  /** `field:value` pairs; a reader must have one pair of every field. */
  accessFields?: unknown;
  /** Always in the audience. */
  author: { userId: string };
}

/** The grants of a user, as far as audiences depend on them. */
export interface ReaderGrants {
  /** All organizations that the user has a grant on. */
  organizationIds: string[];
  /** `field:value` pairs. */
  accessFields: string[];
}

export const audienceOf = ({
  visibility,
  body,
  authorId,
}: Pick<StoredAnnotation, 'visibility' | 'body' | 'authorId'>): Audience => {
  const accessFields = (body.context as Fields | null | undefined)?.accessFields;
  return {
    ...(visibility && { visibility }),
    ...(accessFields !== undefined && { accessFields }),
    author: { userId: authorId },
  };
};

/** The event field `seenBefore`: the audience before a change, if the change alters it. */
export function audienceBefore(before: StoredAnnotation, after: StoredAnnotation): { seenBefore?: Audience } {
  const seenBefore = audienceOf(before);
  return isDeepStrictEqual(seenBefore, audienceOf(after)) ? {} : { seenBefore };
}

/** The rule of `shownTo` in `store/annotations/annotation-filter.ts`, for one annotation of an organization. */
export function isInAudience(
  audience: Audience,
  organizationId: string,
  userId: string,
  grants: ReaderGrants,
): boolean {
  if (audience.author.userId === userId) return true;
  return (
    isVisible(audience.visibility, organizationId, userId, grants) && matchesAccessFields(audience, grants)
  );
}

function isVisible(
  visibility: Fields | undefined,
  ownOrganizationId: string,
  userId: string,
  { organizationIds }: ReaderGrants,
): boolean {
  if (visibility === undefined) return true;
  const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);
  switch (visibility.type) {
    case 'public':
      return true;
    case 'restricted':
      return listOf(visibility.userIds).includes(userId);
    case 'organizationPrivate': {
      const named = listOf(visibility.organizationIds);
      const own = visibility.organizationIds === undefined ? ownOrganizationId : undefined;
      return [visibility.organizationId ?? own, ...named].some((id) =>
        organizationIds.includes(id as string),
      );
    }
    default:
      return false;
  }
}

function matchesAccessFields(audience: Audience, { accessFields }: ReaderGrants): boolean {
  if (!Array.isArray(audience.accessFields)) return true;
  const byField = Map.groupBy(audience.accessFields.map(String), (pair) => pair.split(':')[0]!);
  return [...byField.values()].every((pairs) => pairs.some((pair) => accessFields.includes(pair)));
}

/** Adds what the token itself grants and has not expired. */
export function addTokenGrants(
  grants: ReaderGrants,
  { resources }: TokenUser,
  organizationId: string,
  now: number,
): ReaderGrants {
  const unexpired = resources.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  const here = unexpired.filter((grant) => grant.organizationId === organizationId);
  const organizations = unexpired.filter(({ type }) => type === 'organization');
  return {
    organizationIds: [...grants.organizationIds, ...organizations.map(({ id }) => id)],
    accessFields: [...grants.accessFields, ...here.flatMap(({ accessFields }) => accessFields ?? [])],
  };
}
