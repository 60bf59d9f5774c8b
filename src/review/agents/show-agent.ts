import type { Db } from '../../db/tables.ts';
import type { Position } from '../../lib/cursor.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agent, AgentSummary } from '../../shapes/agents/agent.ts';
import { requireAgentGroup } from '../../store/agents/agent-groups.ts';
import {
  type AgentRow,
  agentNotFound,
  type Behavior,
  type BuiltinState,
  getAgent,
  getBuiltinState,
  listAgents,
  listAgentsById,
  mapBuiltinStates,
} from '../../store/agents/agents.ts';
import { redactMetadata, redactSecrets } from './agent-secrets.ts';
import { BUILTIN_MANAGER, type BuiltinAgent } from './builtin/builtin-agent.ts';
import { builtinAgents, findBuiltin, isBuiltin } from './builtin/index.ts';

/** A built-in or custom agent with its behavior. Throws NOT_FOUND. */
export async function showOneAgent(db: Db, scope: Scope, agentId: string): Promise<Agent> {
  const builtin = findBuiltin(agentId);
  if (builtin) return showBuiltin(builtin, await getBuiltinState(db, scope, agentId));
  const agent = await getAgent(db, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  return showAgent(agent);
}

const showAgent = (agent: AgentRow & { behavior: Behavior }): Agent => ({
  ...redactSecrets(agent.behavior),
  ...summarizeAgent(agent),
  version: agent.version,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

/** Shows the inputs that a built-in agent requires, but not its instructions. */
function showBuiltin(agent: BuiltinAgent, state: BuiltinState): Agent {
  const { inputRequirements = {}, userContextFields = [] } = (agent.behavior.input ?? {}) as {
    inputRequirements?: Fields;
    userContextFields?: Fields[];
  };
  return { ...summarizeBuiltin(agent, state), system: true, inputRequirements, userContextFields };
}

export const summarizeAgent = (agent: AgentRow): AgentSummary => ({
  id: agent.agentId,
  name: agent.name,
  ...(agent.description !== null && { description: agent.description }),
  enabled: agent.enabled,
  version: agent.version,
  managedBy: 'customer',
  metadata: redactMetadata(agent.metadata),
  executionCount: agent.executionCount,
  lastExecutedAt: agent.lastExecutedAt,
});

export const summarizeBuiltin = (
  { agentId, name, description, metadata }: BuiltinAgent,
  { enabled, executionCount, lastExecutedAt }: BuiltinState,
): AgentSummary => ({
  id: agentId,
  name,
  description,
  enabled,
  managedBy: BUILTIN_MANAGER,
  metadata,
  system: true,
  executionCount,
  lastExecutedAt,
});

export type AgentFilter = 'defaultOnly' | 'customOnly';

interface AgentSelection {
  filter?: AgentFilter | undefined;
  groupId?: string | undefined;
}

interface PageOfAgents {
  agents: AgentSummary[];
  /** Position of the next page. */
  next?: Position | undefined;
}

/**
 * Built-in agents, then custom ones, the newest first. Agents of a group are listed in the group's order. A position is
 * the number of agents before it, or the last custom agent.
 */
export async function summarizeAgents(
  db: Db,
  scope: Scope,
  { filter, groupId }: AgentSelection,
  { after = [0], limit }: { after?: Position | undefined; limit?: number | undefined } = {},
): Promise<PageOfAgents> {
  const [start, lastId] = after;
  const from = Number(start);
  if (groupId !== undefined) return pageFrom(await summarizeGroup(db, scope, groupId, filter), from, limit);
  const builtin = filter === 'customOnly' || lastId !== undefined ? [] : listedBuiltins();
  const { agents: pageOfBuiltins, next } = pageFrom(builtin, from, limit);
  const stateOf = pageOfBuiltins.length === 0 ? undefined : await mapBuiltinStates(db, scope);
  const agents = pageOfBuiltins.map((agent) => summarizeBuiltin(agent, stateOf!(agent.agentId)));
  if (next !== undefined || filter === 'defaultOnly') return { agents, next };
  const room = limit === undefined ? undefined : limit - agents.length;
  const rows = await listAgents(db, scope, {
    after: lastId === undefined ? undefined : { createdAt: from, agentId: String(lastId) },
    limit: room === undefined ? undefined : room + 1,
  });
  const shown = rows.slice(0, room);
  const last = shown.at(-1);
  return {
    agents: [...agents, ...shown.map(summarizeAgent)],
    next:
      shown.length === rows.length
        ? undefined
        : last
          ? [last.createdAt, last.agentId]
          : [from + agents.length],
  };
}

const listedBuiltins = () => builtinAgents.filter(({ metadata }) => !metadata.internal);

function pageFrom<T>(all: readonly T[], from: number, limit: number | undefined) {
  const end = limit === undefined ? all.length : from + limit;
  return { agents: all.slice(from, end), next: end < all.length ? [end] : undefined };
}

async function summarizeGroup(
  db: Db,
  scope: Scope,
  groupId: string,
  filter: AgentFilter | undefined,
): Promise<AgentSummary[]> {
  const { agentIds } = await requireAgentGroup(db, scope, groupId);
  const custom = filter === 'defaultOnly' ? [] : agentIds.filter((agentId) => !isBuiltin(agentId));
  const stateOf = await mapBuiltinStates(db, scope);
  const builtin = filter === 'customOnly' ? [] : listedBuiltins();
  const all = [
    ...builtin.map((agent) => summarizeBuiltin(agent, stateOf(agent.agentId))),
    ...(await listAgentsById(db, scope, custom)).map(summarizeAgent),
  ];
  const byId = new Map(all.map((agent) => [agent.id, agent]));
  return agentIds.flatMap((agentId) => byId.get(agentId) ?? []);
}
