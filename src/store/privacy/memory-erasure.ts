import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import { DELETED_USER } from '../../lib/erase-people.ts';
import { forgetMarks } from '../memory/consolidations.ts';
import type { Step } from './erasure-passes.ts';

/**
 * What was worked out of people's judgments goes, and is worked out anew from those that are left. Patterns and
 * alerts name nobody: what they quote is read from the judgments themselves.
 */
export const memoryInsights: Step = {
  name: 'memory_profiles',
  async run(tx, erased) {
    const { apiKeyId, userIds } = erased;
    const theirs = sql`(select jsonb_array_elements_text(${json(userIds)}))`;
    await sql`delete from memory_profiles where api_key_id = ${apiKeyId} and user_id in ${theirs}`.execute(
      tx,
    );
    await sql`update memory_alerts set ended_by = ${DELETED_USER.userId}
      where api_key_id = ${apiKeyId} and ended_by in ${theirs}`.execute(tx);
    await forgetMarks(tx, erased);
    return undefined;
  },
};
