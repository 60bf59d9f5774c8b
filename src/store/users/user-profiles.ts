import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Upserts a user's name and email, which all records that name the user show from then on. */
export async function rememberUser(
  tx: Tx,
  { apiKeyId }: Scope,
  { userId, name, email }: { userId: string; name: string; email: string },
): Promise<void> {
  const now = Date.now();
  // Tokens are made at each visit, so an unchanged profile is not written again.
  await tx
    .insertInto('users')
    .values({ apiKeyId, userId, name, email, body: json({}), createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['apiKeyId', 'userId'])
        .doUpdateSet({ name, email, updatedAt: now })
        .where(condition`(users.name, users.email) is distinct from (excluded.name, excluded.email)`),
    )
    .execute();
}

const selectProfiles = prepared((db, key: { apiKeyId: string; userIds: readonly string[] }) =>
  db
    .selectFrom('users')
    .select(['userId', 'name', 'email'])
    .where('apiKeyId', '=', key.apiKeyId)
    .where(condition`user_id = any(cast(${key.userIds} as text[]))`),
);

export interface Profile {
  name?: string;
  email?: string;
}

export type ProfileRow = [userId: string, name: string | null, email: string | null];

/**
 * A JSON list of a `ProfileRow` for each user that a `select` of ids returns, also for those without a profile. The limit
 * makes the planner look each of them up.
 */
export const profilesInSql = ({ apiKeyId }: Scope, userIds: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select json_agg(json_build_array(person.id, profile.name, profile.email)) from (${userIds}) as person(id)
    left join lateral (select name, email from users
      where users.api_key_id = ${apiKeyId} and users.user_id = person.id limit 1) as profile on true)`;

export const profilesOf = (rows: readonly ProfileRow[]): Map<string, Profile> =>
  new Map(
    rows.map(([userId, name, email]) => [
      userId,
      { ...(name !== null && { name }), ...(email !== null && { email }) },
    ]),
  );

/** Stored names and emails by user id; users without a profile are missing. */
export async function listProfiles(
  db: Db,
  { apiKeyId }: Scope,
  userIds: readonly string[],
): Promise<Map<string, Profile>> {
  const rows = await selectProfiles(db, { apiKeyId, userIds });
  return profilesOf(rows.map(({ userId, name, email }) => [userId, name, email]));
}
