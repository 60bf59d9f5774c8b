import { json } from '../../db/sql-fragments.ts';
import type { AgentTables } from '../../db/tables/agent-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { type AgentRow, agentNotFound, type Behavior, lockAgent } from './agents.ts';

export type AgentVersionRow = AgentTables['agentVersions'];

const versionNotFound = (agentId: string, version: number) =>
  notFound(`Version ${version} of agent ${agentId} not found.`);

/** The agent with its current behavior, locked so that concurrent changes never make the same version. */
export async function lockAgentBehavior(
  tx: Tx,
  scope: Scope,
  agentId: string,
): Promise<{ agent: AgentRow; behavior: Behavior }> {
  const agent = await lockAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  const behavior = await getBehavior(tx, scope, agentId, agent.version);
  if (!behavior) throw versionNotFound(agentId, agent.version);
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

/** Restores a version, by default the previous one, as a new one, so that no number is used twice. */
export async function restoreAgentVersion(
  tx: Tx,
  scope: Scope,
  agentId: string,
  wanted: number | undefined,
): Promise<number> {
  const agent = await lockAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  if (wanted === undefined && agent.version === 1) {
    throw failedPrecondition(`Agent ${agentId} is at version 1; there is no earlier version to restore.`);
  }
  if (wanted === agent.version) {
    throw failedPrecondition(`Version ${wanted} of agent ${agentId} is the current one.`);
  }
  const version = wanted ?? agent.version - 1;
  const behavior = await getBehavior(tx, scope, agentId, version);
  if (!behavior) throw versionNotFound(agentId, version);
  return await insertAgentVersion(tx, scope, agent, { behavior });
}

/** A version, by default the current one. Throws NOT_FOUND. */
export async function getAgentVersion(
  db: Db,
  { apiKeyId }: Scope,
  agentId: string,
  version: number | undefined,
): Promise<AgentVersionRow & { isCurrent: boolean }> {
  const agent = await db
    .selectFrom('agents')
    .select('version')
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .executeTakeFirst();
  if (!agent) throw agentNotFound(agentId);
  const wanted = version ?? agent.version;
  const row = await db
    .selectFrom('agentVersions')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .where('version', '=', wanted)
    .executeTakeFirst();
  if (!row) throw versionNotFound(agentId, wanted);
  return { ...row, isCurrent: wanted === agent.version };
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
