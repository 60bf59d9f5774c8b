import type { Fields } from '../../lib/json.ts';
export interface AgentTables {
  agents: {
    apiKeyId: string;
    agentId: string;
    name: string;
    description: string | null;
    enabled: boolean;
    metadata: Fields;
    /** The current version, always the newest; numbers are not reused. */
    version: number;
    executionCount: number;
    lastExecutedAt: number | null;
    createdAt: number;
    updatedAt: number;
  };
  agentVersions: {
    apiKeyId: string;
    agentId: string;
    version: number;
    /** An `AgentBehavior` in which each secret is a sealed object; `review/agents/agent-secrets.ts` opens them. */
    behavior: Fields;
    createdAt: number;
  };
  /** A tenant's state of a built-in agent. */
  builtinAgents: {
    apiKeyId: string;
    agentId: string;
    enabled: boolean;
    executionCount: number;
    lastExecutedAt: number | null;
    updatedAt: number;
  };
  agentGroups: {
    apiKeyId: string;
    groupId: string;
    name: string;
    description: string | null;
    agentIds: string[];
    metadata: Fields;
    createdAt: number;
    updatedAt: number;
  };
  agentAnalytics: {
    apiKeyId: string;
    agentId: string;
    /** `2026-11`, UTC. */
    month: string;
    /** `provider/model`; empty if no model was asked. */
    model: string;
    executions: number;
    findings: number;
    promptTokens: number;
    completionTokens: number;
    thoughtsTokens: number;
    totalTokens: number;
    /** Requests to models. */
    requests: number;
  };
}
