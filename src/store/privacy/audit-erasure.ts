import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import { tracesOf } from '../../lib/erase-people.ts';
import type { Step } from './erasure-passes.ts';

const BATCH = 500;

const entryRow = z.object({ entryId: z.string() });

/**
 * Erases users from the audit log. Its entries stay, and so do the digests in them, so that the chain can still be verified. The
 * texts that named the users go, with the salts, without which trials cannot find out what the texts were.
 */
export const auditEntries: Step = {
  name: 'audit_log',
  async run(tx, { workspaceId, apiKeyId, userIds }, _organizationId, [after = ''] = []) {
    const entries = await rowsOf(
      tx,
      entryRow,
      sql`select entry_id from audit_log
        where workspace_id = ${workspaceId} and api_key_id = ${apiKeyId} and entry_id > ${String(after)}
        order by entry_id limit ${BATCH}`,
    );
    const ids = entries.map(({ entryId }) => entryId);
    const theirs = sql`workspace_id = ${workspaceId} and entry_id = any(cast(${ids} as text[]))`;
    const users = sql`any(cast(${userIds} as text[]))`;
    await sql`
      update audit_log set actor_id = null, actor_name = null, assistant = null, address = null, user_agent = null,
        actor_salt = null
      where ${theirs} and actor_kind = 'user' and actor_id = ${users}`.execute(tx);
    await sql`
      update audit_log set target_id = null, changes = null, target_salt = null
      where ${theirs} and (target_type = 'user' and target_id = ${users}
        or exists (select from jsonb_array_elements_text(${json(tracesOf(userIds))}) as trace(text)
          where strpos(changes, trace.text) > 0))`.execute(tx);
    return ids.length < BATCH ? undefined : [ids.at(-1)!];
  },
};
