import type { Agent, AgentSummary } from '../shapes/agent.ts';
import type { AgentRow, Behavior, BuiltinState } from '../store/agents.ts';
import { BUILTIN_MANAGER, type BuiltinAgent } from './builtin/builtin-agent.ts';
import { redactSecrets } from './secrets.ts';

/** A custom agent with all it does, its secrets redacted. */
export const showAgent = (agent: AgentRow & { behavior: Behavior }): Agent => ({
  ...redactSecrets(agent.behavior),
  ...summarizeAgent(agent),
  version: agent.version,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

/** A built-in agent with what a caller must bring; how it works is its own. */
export function showBuiltin(agent: BuiltinAgent, state: BuiltinState): Agent {
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
  metadata: agent.metadata,
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
