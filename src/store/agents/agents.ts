import { sql } from 'kysely';
import { prepared, type Statement } from '../../db/prepared.ts';
import { json } from '../../db/sql-fragments.ts';
import type { AgentTables } from '../../db/tables/agent-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { eventColumns, insertEvents } from '../../events/insert-events.ts';
import { ApiError } from '../../lib/errors.ts';
import { newId, newTimedId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { nearestTo } from '../../lib/text/edit-distance.ts';
import { BUILTIN_AGENT_IDS } from '../../shapes/agents/builtin-agents.ts';
import { type AuditSource, auditInsertion, auditRows } from '../audit/record-audit.ts';

export type AgentRow = AgentTables['agents'];
export type Behavior = Fields;

/** NOT_FOUND, with a similarly named built-in agent as `details.hint`. */
export function agentNotFound(agentId: string): ApiError {
  const asked = agentId.slice(0, MAX_COMPARED).toLowerCase().replaceAll(/[_ ]/g, '-');
  const near = nearestTo(asked, BUILTIN_AGENT_IDS, ({ length }) => Math.ceil(length / 5));
  const details = near && { hint: `Did you mean the built-in agent ${near.text}?` };
  return new ApiError('NOT_FOUND', `Agent not found: ${agentId}`, { details });
}

const MAX_COMPARED = 100;

export const newAgentId = () => newId('agent');

/** Inserts an agent, its first version, its event and its entry in the audit log by one statement. */
const insertNewAgent = prepared(
  (
    db,
    row: {
      apiKeyId: string;
      workspaceId: string;
      agentId: string;
      name: string;
      description: string | null;
      enabled: boolean;
      metadata: string;
      behavior: string;
      eventId: string;
      payload: string;
      audits: string;
      createdAt: number;
    },
  ) =>
    db
      .with('first', (query) =>
        query.insertInto('agentVersions').values({
          apiKeyId: row.apiKeyId,
          agentId: row.agentId,
          version: 1,
          behavior: sql`cast(${row.behavior} as jsonb)`,
          createdAt: row.createdAt,
        }),
      )
      .with('announced', () => {
        const event = eventColumns({
          apiKeyId: row.apiKeyId,
          workspaceId: row.workspaceId,
          eventId: row.eventId,
          name: 'agent.add',
          payload: sql`cast(${row.payload} as jsonb)`,
          createdAt: row.createdAt,
        });
        return sql`(${insertEvents(sql`select ${event}`)})`;
      })
      .with('audited', () => sql`(${auditInsertion(row.audits)})`)
      .insertInto('agents')
      .values({
        apiKeyId: row.apiKeyId,
        agentId: row.agentId,
        name: row.name,
        description: row.description,
        enabled: row.enabled,
        metadata: sql`cast(${row.metadata} as jsonb)`,
        version: 1,
        executionCount: 0,
        lastExecutedAt: null,
        createdAt: row.createdAt,
        updatedAt: row.createdAt,
      }),
);

/** A statement that inserts an agent with its first version. */
export function agentInsertion(
  scope: Scope,
  agent: Pick<AgentRow, 'agentId' | 'name' | 'description' | 'enabled' | 'metadata'> & { behavior: Behavior },
  auditSource: AuditSource,
): Statement<unknown> {
  const { behavior, metadata, ...identity } = agent;
  const { agentId, name, enabled } = identity;
  const act = { action: 'agent.created' as const, id: agentId, after: { name, enabled } };
  const payload = {
    agentId: identity.agentId,
    name: identity.name,
    version: 1,
  } satisfies EventPayload<'agent.add'>;
  return insertNewAgent.with({
    ...identity,
    apiKeyId: scope.apiKeyId,
    workspaceId: scope.workspaceId,
    metadata: JSON.stringify(metadata),
    behavior: JSON.stringify(behavior),
    eventId: newTimedId('evt'),
    payload: JSON.stringify(payload),
    audits: JSON.stringify(auditRows(scope, auditSource, [act])),
    createdAt: Date.now(),
  });
}

const selectAgent = prepared((db, key: { apiKeyId: string; agentId: string; version: number | null }) =>
  db
    .selectFrom('agents')
    .selectAll('agents')
    // A subquery, since a join takes longer to plan than to run and scans all versions.
    .select((query) =>
      query
        .selectFrom('agentVersions')
        .select('agentVersions.behavior')
        .whereRef('agentVersions.apiKeyId', '=', 'agents.apiKeyId')
        .whereRef('agentVersions.agentId', '=', 'agents.agentId')
        .where('agentVersions.version', '=', (eb) =>
          eb.fn.coalesce(eb.cast<number>(eb.val(key.version), 'integer'), 'agents.version'),
        )
        .as('behavior'),
    )
    .where('agents.apiKeyId', '=', key.apiKeyId)
    .where('agents.agentId', '=', key.agentId),
);

/** The agent with the behavior of one version, by default the current one. */
export async function getAgent(
  db: Db,
  { apiKeyId }: Scope,
  agentId: string,
  version?: number,
): Promise<(AgentRow & { behavior: Behavior }) | undefined> {
  const [row] = await selectAgent(db, { apiKeyId, agentId, version: version ?? null });
  return row?.behavior ? { ...row, behavior: row.behavior } : undefined;
}

export interface AgentPosition {
  createdAt: number;
  agentId: string;
}

const selectAgents = prepared(
  (db, key: { apiKeyId: string; createdAt: number; agentId: string; limit: number | null }) =>
    db
      .selectFrom('agents')
      .selectAll()
      .where('apiKeyId', '=', key.apiKeyId)
      .where((eb) => eb(eb.refTuple('createdAt', 'agentId'), '<', eb.tuple(key.createdAt, key.agentId)))
      .orderBy('createdAt', 'desc')
      .orderBy('agentId', 'desc')
      .limit(sql<number>`cast(${key.limit} as bigint)`),
);

/** Before the newest agent. */
const FIRST: AgentPosition = { createdAt: Number.MAX_SAFE_INTEGER, agentId: '' };

/** Custom agents after a position, newest first; all of them without a limit. */
export const listAgents = (
  db: Db,
  { apiKeyId }: Scope,
  { after = FIRST, limit }: { after?: AgentPosition | undefined; limit?: number | undefined } = {},
): Promise<AgentRow[]> => selectAgents(db, { apiKeyId, ...after, limit: limit ?? null });

export const listAgentsById = (
  db: Db,
  { apiKeyId }: Scope,
  agentIds: readonly string[],
): Promise<AgentRow[]> =>
  agentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('agents')
        .selectAll()
        .where('apiKeyId', '=', apiKeyId)
        .where('agentId', 'in', agentIds)
        .execute();

/** Changes unversioned fields; omitted ones stay. */
export async function updateAgent(
  tx: Tx,
  scope: Scope,
  agentId: string,
  { name, description, enabled }: { [Key in 'name' | 'description' | 'enabled']?: AgentRow[Key] | undefined },
): Promise<void> {
  const row = await tx
    .updateTable('agents')
    .set({ name, description, enabled, updatedAt: Date.now() })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('agentId', '=', agentId)
    .returning(['name', 'version'])
    .executeTakeFirst();
  if (!row) throw agentNotFound(agentId);
  await emit(tx, scope, 'agent.update', { agentId, name: row.name, version: row.version });
}

/** Deletes an agent with its versions and memberships; groups stay, even empty ones. */
export async function deleteAgent(tx: Tx, scope: Scope, agentId: string): Promise<void> {
  const { apiKeyId } = scope;
  // Locked, so that no group gains the agent in between.
  const agent = await lockAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  await tx
    .updateTable('agentGroups')
    .set({ agentIds: sql`agent_ids - ${agentId}::text`, updatedAt: Date.now() })
    .where('apiKeyId', '=', apiKeyId)
    .where('agentIds', '@>', json([agentId]))
    .execute();
  await tx
    .deleteFrom('agentVersions')
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .execute();
  await tx.deleteFrom('agents').where('apiKeyId', '=', apiKeyId).where('agentId', '=', agentId).execute();
  await emit(tx, scope, 'agent.delete', { agentId });
}

/** The agent, locked until the transaction ends. */
export const lockAgent = (tx: Tx, { apiKeyId }: Scope, agentId: string): Promise<AgentRow | undefined> =>
  tx
    .selectFrom('agents')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .forUpdate()
    .executeTakeFirst();

export async function countAgentExecution(
  tx: Tx,
  { apiKeyId }: Scope,
  agentId: string,
  at: number,
): Promise<void> {
  await tx
    .updateTable('agents')
    .set({
      executionCount: sql`execution_count + 1`,
      lastExecutedAt: sql`greatest(coalesce(last_executed_at, 0), ${at}::bigint)`,
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', '=', agentId)
    .execute();
}

export type BuiltinState = Pick<
  AgentTables['builtinAgents'],
  'enabled' | 'executionCount' | 'lastExecutedAt'
>;

const untouched: BuiltinState = { enabled: true, executionCount: 0, lastExecutedAt: null };

/** State of a built-in agent for an API key; enabled by default. */
export const getBuiltinState = async (db: Db, scope: Scope, agentId: string): Promise<BuiltinState> =>
  (await builtinStates(db, scope).where('agentId', '=', agentId).executeTakeFirst()) ?? untouched;

export async function mapBuiltinStates(db: Db, scope: Scope): Promise<(agentId: string) => BuiltinState> {
  const rows = await selectBuiltinStates(db, { apiKeyId: scope.apiKeyId });
  const byId = new Map(rows.map((row) => [row.agentId, row]));
  return (agentId) => byId.get(agentId) ?? untouched;
}

const builtinStates = (db: Db, { apiKeyId }: Pick<Scope, 'apiKeyId'>) =>
  db
    .selectFrom('builtinAgents')
    .select(['agentId', 'enabled', 'executionCount', 'lastExecutedAt'])
    .where('apiKeyId', '=', apiKeyId);

const selectBuiltinStates = prepared((db, scope: { apiKeyId: string }) => builtinStates(db, scope));

/** Enables or disables a built-in agent for an API key. */
export async function setBuiltinEnabled(
  tx: Tx,
  scope: Scope,
  agent: { agentId: string; name: string; version: number },
  enabled: boolean,
): Promise<void> {
  const { agentId, name, version } = agent;
  const updatedAt = Date.now();
  await tx
    .insertInto('builtinAgents')
    .values({ ...untouched, apiKeyId: scope.apiKeyId, agentId, enabled, updatedAt })
    .onConflict((conflict) => conflict.columns(['apiKeyId', 'agentId']).doUpdateSet({ enabled, updatedAt }))
    .execute();
  await emit(tx, scope, 'agent.update', { agentId, name, version });
}

export async function countBuiltinExecution(
  tx: Tx,
  { apiKeyId }: Scope,
  agentId: string,
  at: number,
): Promise<void> {
  await tx
    .insertInto('builtinAgents')
    .values({ apiKeyId, agentId, enabled: true, executionCount: 1, lastExecutedAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['apiKeyId', 'agentId']).doUpdateSet({
        executionCount: sql`builtin_agents.execution_count + 1`,
        lastExecutedAt: sql`greatest(coalesce(builtin_agents.last_executed_at, 0), excluded.last_executed_at)`,
      }),
    )
    .execute();
}
