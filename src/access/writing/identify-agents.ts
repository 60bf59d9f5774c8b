import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { nameOfBuiltin } from '../../shapes/agents/builtin-agents.ts';
import type { AgentBlock } from '../../shapes/annotations/comment.ts';
import { agentNotFound, listAgentsById } from '../../store/agents/agents.ts';

type IdentifiedAgent = AgentBlock & { agentType: 'built-in' | 'custom' | 'external' };

/**
 * Adds the type of each agent that comments name, and the names of built-in and custom agents. Throws NOT_FOUND for a
 * platform agent that does not exist.
 */
export async function identifyAgents<Comment extends { agent?: AgentBlock | undefined }>(
  db: Db,
  scope: Scope,
  comments: readonly Comment[],
): Promise<(Omit<Comment, 'agent'> & { agent?: IdentifiedAgent | undefined })[]> {
  const custom = comments
    .flatMap(({ agent }) => (agent?.agentSource === 'platform' ? [agent.agentId!] : []))
    .filter((agentId) => nameOfBuiltin(agentId) === undefined);
  const rows = await listAgentsById(db, scope, [...new Set(custom)]);
  const customNames = new Map(rows.map(({ agentId, name }) => [agentId, name]));
  const identify = (agent: AgentBlock): IdentifiedAgent => {
    if (agent.agentSource === 'external') return { ...agent, agentType: 'external' };
    const agentId = agent.agentId!;
    const builtinName = nameOfBuiltin(agentId);
    if (builtinName !== undefined) return { ...agent, agentName: builtinName, agentType: 'built-in' };
    const agentName = customNames.get(agentId);
    if (agentName === undefined) throw agentNotFound(agentId);
    return { ...agent, agentName, agentType: 'custom' };
  };
  return comments.map((comment) => ({ ...comment, agent: comment.agent && identify(comment.agent) }));
}
