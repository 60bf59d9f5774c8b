import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { MEMBER_ROLES, type MemberRole } from '../../lib/scope.ts';
import { idleSince } from './sessions.ts';

/** A credential of a member, as it is used for an API key. */
export interface MemberCredential {
  apiKeyId: string;
  accountId: string;
  credentialId: string;
}

const openRow = z.object({ apiKeyId: z.string(), credentialId: z.string() });

/** Those of these sessions and personal tokens that are still valid. */
export async function openCredentials(
  db: Db,
  credentials: MemberCredential[],
): Promise<{ apiKeyId: string; credentialId: string }[]> {
  if (credentials.length === 0) return [];
  const now = Date.now();
  const wanted = credentials.map(({ apiKeyId, accountId, credentialId }) => ({
    apiKeyId,
    accountId,
    credentialId,
  }));
  return await rowsOf(
    db,
    openRow,
    sql`select distinct wanted."apiKeyId" as api_key_id, wanted."credentialId" as credential_id
      from jsonb_to_recordset(${json(wanted)})
        as wanted("apiKeyId" text, "accountId" text, "credentialId" text)
      join api_keys on api_keys.api_key_id = wanted."apiKeyId"
      join members on members.account_id = wanted."accountId" and members.workspace_id = api_keys.workspace_id
      where exists (
          select from sessions where sessions.account_id = wanted."accountId"
            and sessions.session_id = wanted."credentialId" and sessions.ends_at > ${now}
            and sessions.last_used_at > ${idleSince(now)})
        or exists (
          select from personal_tokens where personal_tokens.api_key_id = wanted."apiKeyId"
            and personal_tokens.token_id = wanted."credentialId"
            and (personal_tokens.expires_at is null or personal_tokens.expires_at > ${now})
            and (personal_tokens.access_ends_at is null or personal_tokens.access_ends_at > ${now}))`,
  );
}

const roleRow = z.object({ apiKeyId: z.string(), accountId: z.string(), role: z.enum(MEMBER_ROLES) });

/** The present roles of accounts in the workspaces of API keys; those without one are absent. */
export async function rolesOfAccounts(
  db: Db,
  accounts: { apiKeyId: string; accountId: string }[],
): Promise<{ apiKeyId: string; accountId: string; role: MemberRole }[]> {
  if (accounts.length === 0) return [];
  return await rowsOf(
    db,
    roleRow,
    sql`select distinct wanted."apiKeyId" as api_key_id, wanted."accountId" as account_id, members.role
      from jsonb_to_recordset(${json(accounts)}) as wanted("apiKeyId" text, "accountId" text)
      join api_keys on api_keys.api_key_id = wanted."apiKeyId"
      join members on members.account_id = wanted."accountId" and members.workspace_id = api_keys.workspace_id`,
  );
}
