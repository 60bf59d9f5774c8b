import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { AgentTables } from '../../db/tables/agent-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { notFound, resourceExhausted } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { agentNotFound } from './agents.ts';

export type AgentGroupRow = AgentTables['agentGroups'];

export const MAX_GROUPS = 50;
export const MAX_GROUP_AGENTS = 100;

const groupNotFound = (groupId: string) => notFound(`Agent group not found: ${groupId}`);

interface NewGroup {
  name: string;
  description: string | undefined;
  agentIds: string[];
  metadata: Fields;
}

/** `mustExist` lists the custom agents among the members; built-in ones always exist. */
export async function insertAgentGroup(
  tx: Tx,
  scope: Scope,
  { name, description, agentIds, metadata }: NewGroup,
  mustExist: string[],
): Promise<AgentGroupRow> {
  const { apiKeyId } = scope;
  await lockAgents(tx, scope, mustExist);
  // Serializes creations, so that concurrent ones do not exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent groups ${apiKeyId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('agentGroups')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_GROUPS) {
    throw resourceExhausted(`An API key can have at most ${MAX_GROUPS} agent groups.`);
  }
  const now = Date.now();
  const row: AgentGroupRow = {
    apiKeyId,
    groupId: newId('group'),
    name,
    description: description ?? null,
    agentIds: [...new Set(agentIds)],
    metadata: { ...metadata, apiKey: apiKeyId },
    createdAt: now,
    updatedAt: now,
  };
  await tx
    .insertInto('agentGroups')
    .values({ ...row, agentIds: json(row.agentIds), metadata: json(row.metadata) })
    .execute();
  return row;
}

export async function requireAgentGroup(db: Db, scope: Scope, groupId: string): Promise<AgentGroupRow> {
  const row = await oneGroup(db, scope, groupId).executeTakeFirst();
  if (!row) throw groupNotFound(groupId);
  return row;
}

export const listAgentGroups = (db: Db, { apiKeyId }: Scope): Promise<AgentGroupRow[]> =>
  db
    .selectFrom('agentGroups')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('createdAt', 'desc')
    .orderBy('groupId', 'desc')
    .execute();

export async function updateAgentGroup(
  tx: Tx,
  { apiKeyId }: Scope,
  groupId: string,
  change: { name?: string | undefined; description?: string | undefined },
): Promise<AgentGroupRow> {
  const row = await tx
    .updateTable('agentGroups')
    .set({ ...change, updatedAt: Date.now() })
    .where('apiKeyId', '=', apiKeyId)
    .where('groupId', '=', groupId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw groupNotFound(groupId);
  return row;
}

/** Deletes a group; its agents stay. */
export async function deleteAgentGroup(tx: Tx, { apiKeyId }: Scope, groupId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('agentGroups')
    .where('apiKeyId', '=', apiKeyId)
    .where('groupId', '=', groupId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw groupNotFound(groupId);
}

/** Adds agents that are not members yet; `mustExist` as for a new group. */
export async function addGroupAgents(
  tx: Tx,
  scope: Scope,
  groupId: string,
  agentIds: string[],
  mustExist: string[],
): Promise<AgentGroupRow> {
  const { agentIds: before } = await requireAgentGroup(tx, scope, groupId);
  refuseTooMany(before, agentIds);
  // Locks agents before the group, in the same order as a deletion, to avoid a deadlock.
  await lockAgents(tx, scope, mustExist);
  return await changeMembers(tx, scope, groupId, (members) => {
    refuseTooMany(members, agentIds);
    return [...new Set([...members, ...agentIds])];
  });
}

export function removeGroupAgents(
  tx: Tx,
  scope: Scope,
  groupId: string,
  agentIds: string[],
): Promise<AgentGroupRow> {
  const leaving = new Set(agentIds);
  return changeMembers(tx, scope, groupId, (members) => members.filter((member) => !leaving.has(member)));
}

const refuseTooMany = (members: string[], joining: string[]) => {
  if (new Set([...members, ...joining]).size > MAX_GROUP_AGENTS) {
    throw resourceExhausted(`An agent group can have at most ${MAX_GROUP_AGENTS} agents.`);
  }
};

async function changeMembers(
  tx: Tx,
  scope: Scope,
  groupId: string,
  change: (members: string[]) => string[],
): Promise<AgentGroupRow> {
  const row = await oneGroup(tx, scope, groupId).forUpdate().executeTakeFirst();
  if (!row) throw groupNotFound(groupId);
  const agentIds = change(row.agentIds);
  if (agentIds.length === row.agentIds.length) return row;
  const updatedAt = Date.now();
  await tx
    .updateTable('agentGroups')
    .set({ agentIds: json(agentIds), updatedAt })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('groupId', '=', groupId)
    .execute();
  return { ...row, agentIds, updatedAt };
}

/** Locks agents against deletion until the transaction ends. Throws NOT_FOUND for the first that is missing. */
async function lockAgents(tx: Tx, { apiKeyId }: Scope, agentIds: string[]): Promise<void> {
  if (agentIds.length === 0) return;
  const rows = await tx
    .selectFrom('agents')
    .select('agentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', 'in', agentIds)
    .orderBy('agentId')
    .forKeyShare()
    .execute();
  const found = new Set(rows.map((row) => row.agentId));
  const missing = agentIds.find((agentId) => !found.has(agentId));
  if (missing !== undefined) throw agentNotFound(missing);
}

const oneGroup = (db: Db, { apiKeyId }: Scope, groupId: string) =>
  db.selectFrom('agentGroups').selectAll().where('apiKeyId', '=', apiKeyId).where('groupId', '=', groupId);
