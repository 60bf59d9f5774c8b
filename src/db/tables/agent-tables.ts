import type { Fields } from '../../lib/json.ts';
export interface AgentTables {
  agents: {
    apiKeyId: string;
    agentId: string;
    name: string;
    description: string | null;
    enabled: boolean;
    metadata: Fields;
    /** The current version, which is always the newest: no number is used twice. */
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
    /** The behavioral fields with their secrets sealed; only `review` knows its shape. */
    behavior: Fields;
    createdAt: number;
  };
  /** What a tenant changed on a built-in agent, and how often it ran for this tenant. */
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
    /** `provider/model`; empty where none was used. */
    model: string;
    executions: number;
    findings: number;
    promptTokens: number;
    completionTokens: number;
    thoughtsTokens: number;
    totalTokens: number;
    /** To models. */
    requests: number;
  };
}
