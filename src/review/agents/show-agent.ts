import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agent, AgentSummary } from '../../shapes/agents/agent.ts';
import {
  type AgentRow,
  agentNotFound,
  type Behavior,
  type BuiltinState,
  getAgent,
  getBuiltinState,
} from '../../store/agents/agents.ts';
import { redactMetadata, redactSecrets } from './agent-secrets.ts';
import { BUILTIN_MANAGER, type BuiltinAgent } from './builtin/builtin-agent.ts';
import { findBuiltin } from './builtin/index.ts';

/** An agent by its id, custom or built-in. NOT_FOUND where there is none. */
export async function showOneAgent(db: Db, scope: Scope, agentId: string): Promise<Agent> {
  const builtin = findBuiltin(agentId);
  if (builtin) return showBuiltin(builtin, await getBuiltinState(db, scope, agentId));
  const agent = await getAgent(db, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  return showAgent(agent);
}

/** With all that it does, its secrets redacted. */
const showAgent = (agent: AgentRow & { behavior: Behavior }): Agent => ({
  ...redactSecrets(agent.behavior),
  ...summarizeAgent(agent),
  version: agent.version,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

/** With what a caller must bring; how it works is its own. */
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
