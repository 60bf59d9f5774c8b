import { sql } from 'kysely';
import { allOf, json } from '../../db/sql-fragments.ts';
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

/** Number of profiles, counted up to `cap`. */
export async function countProfiles(db: Db, { apiKeyId }: Scope, cap: number): Promise<number> {
  const { many } = await db
    .selectFrom(
      db
        .selectFrom('memoryProfiles')
        .select('apiKeyId')
        .where('apiKeyId', '=', apiKeyId)
        .limit(cap)
        .as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow();
  return many;
}

export interface NewProfile {
  profile: ReviewerProfile;
  /** Any judgment that the profile is derived from. */
  judgmentId: string;
}

/**
 * Upserts profiles whose judgment still belongs to the reviewer, so that a user erased meanwhile does not come back.
 */
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

/** Deletes all other profiles. */
export async function deleteOtherProfiles(
  tx: Tx,
  { apiKeyId }: Scope,
  userIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('memoryProfiles')
    .where('apiKeyId', '=', apiKeyId)
    .where('userId', '<>', allOf(userIds))
    .execute();
}
