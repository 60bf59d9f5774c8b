import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';

/** Kinds of keys, as a metric names them. */
export const KEY_KINDS = [
  'master_key',
  'signing_key',
  'workspace_token',
  'api_key_token',
  'webhook_secret',
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface KeyAge {
  kind: KeyKind;
  /** When the oldest was made, in epoch milliseconds; null without any. */
  oldestAt: number | null;
  /** Number of those that were made before the given time. */
  old: number;
}

const row = z.object({
  kind: z.enum(KEY_KINDS),
  oldestAt: z.coerce.number().nullable(),
  old: z.coerce.number(),
});

/** The ages of the keys in use, without those that are replaced already and valid for a while. */
export const listKeyAges = (db: Db, madeBefore: number): Promise<KeyAge[]> =>
  rowsOf(
    db,
    row,
    sql`select kind, min(made_at) as oldest_at, count(*) filter (where made_at < ${madeBefore}) as old from (
      (select 'master_key' as kind, created_at as made_at from key_checks order by adopted_at desc limit 1)
      union all select 'signing_key', created_at from signing_keys where retired_at is null
      union all select 'workspace_token', coalesce(token_at, created_at) from workspaces
      union all select 'api_key_token', created_at from api_key_tokens where expires_at is null
      union all select 'webhook_secret', coalesce(secret_at, created_at) from webhook_endpoints
        where secret_sealed is not null and not disabled
    ) as keys group by kind`,
  );
