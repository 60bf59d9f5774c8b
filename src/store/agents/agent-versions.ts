import { json } from '../../db/sql-fragments.ts';
import type { AgentTables } from '../../db/tables/agent-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { type AgentRow, agentNotFound, type Behavior, lockAgent } from './agents.ts';

export type AgentVersionRow = AgentTables['agentVersions'];

/** The agent with its current behavior, locked so that concurrent changes never make the same version. */
export async function lockAgentBehavior(
  tx: Tx,
  scope: Scope,
  agentId: string,
): Promise<{ agent: AgentRow; behavior: Behavior }> {
  const agent = await lockAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  const behavior = await getBehavior(tx, scope, agentId, agent.version);
  if (!behavior) throw notFound(`Version ${agent.version} of agent ${agentId} not found.`);
  return { agent, behavior };
}

const getBehavior = async (
  db: Db,
  { apiKeyId }: Scope,
  agentId: string,
  version: number,
): Promise<Behavior | undefined> =>
  (
    await db
      .selectFrom('agentVersions')
      .select('behavior')
      .where('apiKeyId', '=', apiKeyId)
      .where('agentId', '=', agentId)
      .where('version', '=', version)
      .executeTakeFirst()
  )?.behavior;

/** Inserts the next version of a locked agent and makes it current. Returns its number. */
export async function insertAgentVersion(
  tx: Tx,
  scope: Scope,
  agent: AgentRow,
  { behavior, metadata }: { behavior: Behavior; metadata?: Fields | undefined },
): Promise<number> {
  const { apiKeyId } = scope;
  const { agentId, name } = agent;
  const version = agent.version + 1;
  const createdAt = Date.now();
  await tx
    .insertInto('agentVersions')
    .values({ apiKeyId, agentId, version, behavior: json(behavior), createdAt })
    .execute();
  await tx
    .updateTable('agents')
    .set({ version, updatedAt: createdAt, ...(metadata && { metadata: json(metadata) }) })
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .execute();
  await emit(tx, scope, 'agent.update', { agentId, name, version });
  return version;
}

/** Restores the previous version as a new one, so that no number is used twice. */
export async function restoreAgentVersion(tx: Tx, scope: Scope, agentId: string): Promise<number> {
  const agent = await lockAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  if (agent.version === 1) {
    throw failedPrecondition(`Agent ${agentId} is at version 1; there is no earlier version to restore.`);
  }
  const previous = agent.version - 1;
  const behavior = await getBehavior(tx, scope, agentId, previous);
  if (!behavior) throw notFound(`Version ${previous} of agent ${agentId} not found.`);
  return await insertAgentVersion(tx, scope, agent, { behavior });
}

/** All versions, newest first. Throws NOT_FOUND for a missing agent. */
export async function listAgentVersions(
  db: Db,
  { apiKeyId }: Scope,
  agentId: string,
): Promise<AgentVersionRow[]> {
  const rows = await db
    .selectFrom('agentVersions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .orderBy('version', 'desc')
    .execute();
  if (rows.length === 0) throw agentNotFound(agentId);
  return rows;
}
