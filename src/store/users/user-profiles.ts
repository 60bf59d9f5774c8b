import { sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

/** Keeps the latest name and email of a user, which every record that names them shows from then on. */
export async function rememberUser(
  tx: Tx,
  { apiKeyId }: Scope,
  { userId, name, email }: { userId: string; name: string; email: string },
): Promise<void> {
  const now = sql`cast(${Date.now()} as bigint)`;
  // A token is made at each visit: where nothing is new, nothing is written.
  await sql`
    insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
    values (${apiKeyId}, ${userId}, ${name}, ${email}, '{}', ${now}, ${now})
    on conflict (api_key_id, user_id) do update
      set name = excluded.name, email = excluded.email, updated_at = excluded.updated_at
      where (users.name, users.email) is distinct from (excluded.name, excluded.email)`.execute(tx);
}

/** What is kept of users by their ids, as records name them; who is not kept is left out. */
export async function listProfiles(
  db: Db,
  { apiKeyId }: Scope,
  userIds: readonly string[],
): Promise<Map<string, { name?: string; email?: string }>> {
  const rows = await db
    .selectFrom('users')
    .select(['userId', 'name', 'email'])
    .where('apiKeyId', '=', apiKeyId)
    .where(condition`user_id = any(cast(${userIds} as text[]))`)
    .execute();
  return new Map(
    rows.map(({ userId, name, email }) => [
      userId,
      { ...(name !== null && { name }), ...(email !== null && { email }) },
    ]),
  );
}
