import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';

/** Kinds of keys that programs outside of the service have. */
export const CREDENTIAL_KINDS = ['workspace_token', 'api_key_token', 'webhook_secret'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** Kinds of keys, as a metric names them. */
export const KEY_KINDS = ['master_key', 'signing_key', ...CREDENTIAL_KINDS] as const;
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

/** The credentials in use, without those that are replaced already and valid for a while. */
const credentials = sql`
  select 'workspace_token' as kind, workspace_id, null as api_key_id, null as endpoint_id, name, token_hash,
    coalesce(token_at, created_at) as made_at from workspaces
  union all select 'api_key_token', k.workspace_id, t.api_key_id, null, t.name, t.token_hash, t.created_at
    from api_key_tokens t join api_keys k on k.api_key_id = t.api_key_id where t.expires_at is null
  union all select 'webhook_secret', workspace_id, api_key_id, endpoint_id, url, null, coalesce(secret_at, created_at)
    from webhook_endpoints where secret_sealed is not null and not disabled`;

/** The ages of the keys in use, without those that are replaced already and valid for a while. */
export const listKeyAges = (db: Db, madeBefore: number): Promise<KeyAge[]> =>
  rowsOf(
    db,
    row,
    sql`select kind, min(made_at) as oldest_at, count(*) filter (where made_at < ${madeBefore}) as old from (
      (select 'master_key' as kind, created_at as made_at from key_checks order by adopted_at desc limit 1)
      union all select 'signing_key', created_at from signing_keys where retired_at is null
      union all select kind, made_at from (${credentials}) as credentials
    ) as keys group by kind`,
  );

const credentialRow = z.object({
  kind: z.enum(CREDENTIAL_KINDS),
  workspaceId: z.string(),
  /** Null for the token of a workspace. */
  apiKeyId: z.string().nullable(),
  /** Null unless the kind is `webhook_secret`. */
  endpointId: z.string().nullable(),
  /** Name of the workspace or token, or address of the endpoint, whose query may have secrets. */
  name: z.string(),
  /** Null for the secret of a webhook. */
  tokenHash: z.string().nullable(),
  /** Epoch milliseconds. */
  madeAt: z.coerce.number(),
});
export type Credential = z.infer<typeof credentialRow>;

/** The credentials in use that were made before a time, oldest first: of all workspaces, or of one. */
export const listOldCredentials = (db: Db, madeBefore: number, workspaceId?: string): Promise<Credential[]> =>
  rowsOf(
    db,
    credentialRow,
    sql`select kind, workspace_id, api_key_id, endpoint_id, name, token_hash, made_at
      from (${credentials}) as credentials
      where made_at <= ${madeBefore} and (${workspaceId ?? null}::text is null or workspace_id = ${workspaceId ?? null})
      order by made_at, workspace_id, api_key_id nulls first, endpoint_id, token_hash`,
  );
