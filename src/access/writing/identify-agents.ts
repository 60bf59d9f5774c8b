import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { findBuiltin } from '../../review/agents/builtin/index.ts';
import type { AgentBlock } from '../../shapes/annotations/comment.ts';
import { agentNotFound, listAgentsById } from '../../store/agents/agents.ts';

interface ByAgent {
  agent?: AgentBlock | undefined;
}
type Identified = AgentBlock & { agentType: 'built-in' | 'custom' | 'external' };

/** Says of each agent that comments name what it is, and how those kept here are called; NOT_FOUND where one is not. */
export async function identifyAgents<Comment extends ByAgent>(
  db: Db,
  scope: Scope,
  comments: readonly Comment[],
): Promise<(Omit<Comment, 'agent'> & { agent?: Identified | undefined })[]> {
  const custom = comments
    .flatMap(({ agent }) => (agent?.agentSource === 'platform' ? [agent.agentId!] : []))
    .filter((agentId) => !findBuiltin(agentId));
  const rows = await listAgentsById(db, scope, [...new Set(custom)]);
  const names = new Map(rows.map(({ agentId, name }) => [agentId, name]));
  const identify = (agent: AgentBlock): Identified => {
    if (agent.agentSource === 'external') return { ...agent, agentType: 'external' };
    const builtin = findBuiltin(agent.agentId!);
    const agentName = builtin?.name ?? names.get(agent.agentId!);
    if (agentName === undefined) throw agentNotFound(agent.agentId!);
    return { ...agent, agentName, agentType: builtin ? 'built-in' : 'custom' };
  };
  return comments.map((comment) => ({
    ...comment,
    agent: comment.agent && identify(comment.agent),
  }));
}
