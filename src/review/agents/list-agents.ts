import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentSummary } from '../../shapes/agents/agent.ts';
import { requireAgentGroup } from '../../store/agents/agent-groups.ts';
import { listAgents, listAgentsById, mapBuiltinStates } from '../../store/agents/agents.ts';
import { builtinAgents, isBuiltin } from './builtin/index.ts';
import { summarizeAgent, summarizeBuiltin } from './show-agent.ts';

export type AgentFilter = 'defaultOnly' | 'customOnly';

/** Built-in agents in their order, then custom ones, newest first; of a group, its members in the group's order. */
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
