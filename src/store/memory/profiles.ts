import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { ReviewerProfile } from '../../db/tables/memory-insight-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

export async function findProfile(
  db: Db,
  { apiKeyId }: Scope,
  userId: string,
): Promise<ReviewerProfile | undefined> {
  const row = await db
    .selectFrom('memoryProfiles')
    .select('profile')
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.profile;
}

/** How many people have a profile, counting no further than `cap`. */
export async function countProfiles(db: Db, { apiKeyId }: Scope, cap: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (
      select 1 from memory_profiles where api_key_id = ${apiKeyId} limit ${cap}) as few`.execute(db);
  return rows[0]!.many;
}

export interface NewProfile {
  profile: ReviewerProfile;
  /** One of the judgments that it comes from. */
  judgmentId: string;
}

/** Writes profiles, but of nobody whose judgments are no longer theirs: who was forgotten meanwhile stays forgotten. */
export async function writeProfiles(
  tx: Tx,
  { apiKeyId }: Scope,
  profiles: readonly NewProfile[],
): Promise<void> {
  await sql`
    insert into memory_profiles (api_key_id, user_id, profile, updated_at)
    select ${apiKeyId}, judgments.reviewer_id, item.profile, cast(${Date.now()} as bigint)
    from jsonb_to_recordset(${json(profiles)}) as item("judgmentId" text, profile jsonb)
    join judgments on judgments.api_key_id = ${apiKeyId} and judgments.judgment_id = item."judgmentId"
      and judgments.reviewer_id = item.profile ->> 'userId'
    on conflict (api_key_id, user_id) do update set profile = excluded.profile,
      updated_at = case when memory_profiles.profile = excluded.profile then memory_profiles.updated_at
        else excluded.updated_at end`.execute(tx);
}

/** Takes away the profiles of everybody else. */
export async function keepProfiles(tx: Tx, { apiKeyId }: Scope, userIds: readonly string[]): Promise<void> {
  await sql`
    delete from memory_profiles where api_key_id = ${apiKeyId}
      and user_id not in (select jsonb_array_elements_text(${json([...userIds])}))`.execute(tx);
}
