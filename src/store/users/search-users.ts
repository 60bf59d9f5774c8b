import { type RawBuilder, sql } from 'kysely';
import type { AccessRole } from '../../db/tables/user-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { contactOf, type UserFilter, type UserRow } from './list-users.ts';
import { resourceOf, type UserPlace } from './users.ts';

/** The expression of the index `users_by_word`: the words of name and email, each after the API key. */
const WORDS = sql.raw(`array_to_tsvector(string_to_array(users.api_key_id || ':' || regexp_replace(
  lower(left(coalesce(users.name, ''), 120) || ' ' || left(coalesce(users.email, ''), 120)),
  '[\\s@._+,;:()<>"''/-]+', ' ' || users.api_key_id || ':', 'g'), ' '))`);
const SEPARATORS = /[\s@._+,;:()<>"'/-]+/;
const MAX_WORDS = 8;

/** A tsquery for users with words that begin with those of a text; undefined if the text has none. */
function wordQuery(apiKeyId: string, text: string): string | undefined {
  const words = text.toLowerCase().split(SEPARATORS).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return undefined;
  return words.map((word) => `'${apiKeyId}:${word.replaceAll('\\', '\\\\')}':*`).join(' & ');
}

interface FoundUser {
  userId: string;
  accessRole: AccessRole | null;
  sortName: string;
  name: string | null;
  email: string | null;
  body: Fields;
}

/**
 * People of an organization, document or folder whose name or email has words that begin with those of a text, by name:
 * users who were added, and those whose token grants the place.
 */
export async function searchUsers(
  db: Db,
  { apiKeyId }: Scope,
  place: UserPlace,
  { text, userIds, groupIds }: UserFilter & { text: string },
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<UserRow[]> {
  const query = wordQuery(apiKeyId, text);
  if (query === undefined) return [];
  const { organizationId } = place;
  const { resourceType, resourceId } = resourceOf(place);
  const here = (alias: string): RawBuilder<unknown> => sql`${sql.ref(`${alias}.api_key_id`)} = ${apiKeyId}
    and ${sql.ref(`${alias}.organization_id`)} = ${organizationId}
    and ${sql.ref(`${alias}.resource_type`)} = ${resourceType}
    and ${sql.ref(`${alias}.resource_id`)} = ${resourceId}
    and ${sql.ref(`${alias}.user_id`)} = matched.user_id`;
  const inGroups = groupIds
    ? sql`and exists (select 1 from user_group_members as member
        where member.api_key_id = ${apiKeyId} and member.organization_id = ${organizationId}
          and member.group_id = any(cast(${groupIds} as text[])) and member.user_id = matched.user_id)`
    : sql``;
  const { rows } = await sql<FoundUser>`
    with matched as materialized (
      select user_id, name, email, body, lower(coalesce(name, '')) as sort_name from users
      where api_key_id = ${apiKeyId} and ${WORDS} @@ cast(${query} as tsquery)
        ${userIds ? sql`and user_id = any(cast(${userIds} as text[]))` : sql``})
    select matched.*, granted.access_role from matched
    left join lateral (select access_role from grants as granted
      where ${here('granted')}
        and (granted.expires_at is null or granted.expires_at > cast(${Date.now()} as bigint))
      limit 1) as granted on true
    where (granted.access_role is not null
      or exists (select 1 from token_contacts as seen where ${here('seen')} offset 0)) ${inGroups}
      ${after ? sql`and (matched.sort_name, matched.user_id) > (${String(after[0])}, ${String(after[1])})` : sql``}
    order by matched.sort_name, matched.user_id limit ${limit}`.execute(db);
  return rows.map(({ accessRole, sortName, ...row }) => ({
    position: [sortName, row.userId],
    record: contactOf(organizationId, { ...row, ...(accessRole !== null && { accessRole }) }),
  }));
}
