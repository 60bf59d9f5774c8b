import type { AgentBehavior } from '../../../shapes/agents/agent-behavior.ts';
import type { BuiltinAgentId } from '../../../shapes/agents/builtin-agents.ts';

/** A built-in agent. It is configured like a custom agent, and is the same for all API keys. */
export interface BuiltinAgent {
  agentId: BuiltinAgentId;
  name: string;
  description: string;
  /** `internal` agents serve other agents and are not listed. */
  metadata: { type: 'system'; category: string; internal?: true };
  behavior: AgentBehavior;
}

export const BUILTIN_MANAGER = 'redpen';

/** Inputs of agents that review a page. */
export const needsUrl = { inputRequirements: { requires: ['url'] } };

/** Instructions of all reviewers of prose: exact quotes let a finding be pinned to its words. */
export const quoteExactly = `For each problem give one finding.
Quote the words it is about exactly as the page has them in targetText, with no more around them than is needed to recognize the place, and say in occurrence which appearance of these words on the page is meant.
Put the corrected words alone into suggestion.
Give as confidence how sure you are, from 0 to 100, that a careful editor would agree. Report nothing that you would not correct yourself. When the page has no problem, answer with no findings.`;
