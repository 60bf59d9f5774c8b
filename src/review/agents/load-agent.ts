import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { BUILTIN_VERSION } from '../../shapes/agents/builtin-agents.ts';
import {
  countAgentExecution,
  countBuiltinExecution,
  getAgent,
  getBuiltinState,
} from '../../store/agents/agents.ts';
import { findBuiltin } from './builtin/index.ts';

/** An agent as a run needs it; its secrets are sealed. */
export interface LoadedAgent {
  agentId: string;
  name: string;
  version: number;
  enabled: boolean;
  system: boolean;
  behavior: Record<string, unknown>;
}

/** Finds a custom or built-in agent, by default at its current version; a built-in one has no other. */
export async function loadAgent(
  db: Db,
  scope: Scope,
  agentId: string,
  version?: number,
): Promise<LoadedAgent | undefined> {
  const builtin = findBuiltin(agentId);
  if (builtin) {
    const { name, behavior } = builtin;
    const { enabled } = await getBuiltinState(db, scope, agentId);
    return { agentId, name, version: BUILTIN_VERSION, enabled, system: true, behavior };
  }
  const agent = await getAgent(db, scope, agentId, version);
  if (!agent) return undefined;
  const { name, enabled, behavior } = agent;
  return { agentId, name, version: version ?? agent.version, enabled, system: false, behavior };
}

/** Counts one execution of the agent; one that is gone by now is left alone. */
export const bumpExecutionCount = (tx: Tx, scope: Scope, agentId: string, at: number): Promise<void> =>
  findBuiltin(agentId)
    ? countBuiltinExecution(tx, scope, agentId, at)
    : countAgentExecution(tx, scope, agentId, at);
