import type { Db } from '../../db/tables.ts';
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
    inputRequirements?: Record<string, unknown>;
    userContextFields?: Record<string, unknown>[];
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

/** Built-in agents, then custom ones, the newest first. Agents of a group are listed in the group's order. */
export async function summarizeAgents(
  db: Db,
  scope: Scope,
  { filter, groupId }: { filter?: AgentFilter | undefined; groupId?: string | undefined },
): Promise<AgentSummary[]> {
  const group = groupId === undefined ? undefined : await requireAgentGroup(db, scope, groupId);
  const listed = builtinAgents.filter(({ metadata }) => !metadata.internal);
  const builtin = filter === 'customOnly' ? [] : await summarizeListed();
  const custom = filter === 'defaultOnly' ? [] : (await customRows()).map(summarizeAgent);
  const all = [...builtin, ...custom];
  if (!group) return all;
  const byId = new Map(all.map((agent) => [agent.id, agent]));
  return group.agentIds.flatMap((agentId) => byId.get(agentId) ?? []);

  async function summarizeListed() {
    const stateOf = await mapBuiltinStates(db, scope);
    return listed.map((agent) => summarizeBuiltin(agent, stateOf(agent.agentId)));
  }
  function customRows() {
    if (!group) return listAgents(db, scope);
    return listAgentsById(
      db,
      scope,
      group.agentIds.filter((agentId) => !isBuiltin(agentId)),
    );
  }
}
