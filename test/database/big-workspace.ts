import { sql } from 'kysely';
import type { Db } from '../../src/db/tables.ts';

export const ACCOUNT = 'account-1';

/** Fills a workspace with `count` members, invitations and entries of the audit log, and sessions and personal tokens of one member. */
export async function fillWorkspace(
  db: Db,
  { apiKeyId, workspaceId }: { apiKeyId: string; workspaceId: string },
  count: number,
): Promise<void> {
  const n = sql`generate_series(1, cast(${count} as integer)) as n`;
  const far = Date.now() + 86_400_000;
  const statements = [
    sql`insert into accounts (account_id, name, email, email_key, is_operator, created_at)
      select 'account-' || n, 'x', 'x' || n || '@example.com', 'x' || n || '@example.com', false, n from ${n}`,
    sql`insert into members (workspace_id, member_id, account_id, role, joined_at)
      select ${workspaceId}, 'member-' || n, 'account-' || n, 'viewer', n from ${n}`,
    sql`insert into invitations (workspace_id, invitation_id, email, email_key, role, code_hash, created_at, expires_at)
      select ${workspaceId}, 'invitation-' || n, 'x', 'y' || n, 'viewer', 'hash-' || n, n, cast(${far} as bigint) from ${n}`,
    sql`insert into sessions (session_hash, session_id, account_id, created_at, last_used_at, ends_at, address, user_agent)
      select 'hash-' || n, 'session-' || n, ${ACCOUNT}, n, cast(${far} as bigint), cast(${far} as bigint), '', '' from ${n}`,
    sql`insert into personal_tokens (api_key_id, token_id, account_id, token_hash, name, scopes, created_at)
      select ${apiKeyId}, 'token-' || n, ${ACCOUNT}, 'hash-' || n, 'x', '["read"]', n from ${n}`,
    sql`insert into audit_log (workspace_id, entry_id, at, api_key_id, action, actor_kind, via, target_type, actor_id,
        actor_digest, target_id, target_digest, seq, previous_hash, hash)
      select ${workspaceId}, 'audit-' || n, n, ${apiKeyId}, case when n % 5 = 0 then 'agent.created' else 'key.renamed' end,
        'member', '/v2/x', 'agent', 'member-' || n % 100, 'x', 'agent-' || n % 100, 'x', n, 'x', 'x' from ${n}`,
    sql`insert into audit_heads (workspace_id, seq, hash, anchor_seq, anchor_hash)
      values (${workspaceId}, ${count}, 'x', 0, 'x')`,
  ];
  for (const statement of statements) await statement.execute(db);
}
