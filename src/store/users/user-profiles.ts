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

/** Stored names and emails by user id; users without a profile are missing. */
export async function listProfiles(
  db: Db,
  { apiKeyId }: Scope,
  userIds: readonly string[],
): Promise<Map<string, { name?: string; email?: string }>> {
  const rows = await selectProfiles(db, { apiKeyId, userIds });
  return new Map(
    rows.map(({ userId, name, email }) => [
      userId,
      { ...(name !== null && { name }), ...(email !== null && { email }) },
    ]),
  );
}
