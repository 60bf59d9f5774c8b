import { type RawBuilder, sql } from 'kysely';
import { chainAudit } from '../../src/store/audit/chain-audit.ts';
import { countUnchained } from '../../src/store/audit/verify-audit.ts';
import { until } from '../run/until.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

/** The entries of a workspace that match, the newest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests read entries of every shape.
export async function auditOf(w: TestWorkspace, filter: object = {}): Promise<any[]> {
  const { status, body } = await w.postAsWorkspace('/v2/workspace/audit/get', filter);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result.data.entries;
}

/** Chains all entries, as a worker does within seconds, and checks the chain of a workspace. */
export async function checkAudit(w: TestWorkspace, page: object = {}) {
  const { deps } = await testApp();
  // A worker of another test may have locked the head of the chain, and then chains entries itself.
  await until(async () => {
    await chainAudit(deps.db);
    return (await countUnchained(deps.db, w.workspaceId)) === 0;
  });
  const { body } = await w.postAsWorkspace('/v2/workspace/audit/verify', page);
  return { ...body.result.data, nextPageToken: body.result.nextPageToken };
}

/** Changes rows as the owner of the tables can, who knows of the triggers. */
export async function tamper(statement: RawBuilder<unknown>): Promise<void> {
  const { deps } = await testApp();
  await deps.db.transaction().execute(async (tx) => {
    await sql`alter table audit_log disable trigger user`.execute(tx);
    await statement.execute(tx);
    await sql`alter table audit_log enable trigger user`.execute(tx);
  });
}
