import type { AgentBehavior } from '../../../shapes/agents/agent-behavior.ts';
import type { BuiltinAgentId } from '../../../shapes/agents/builtin-agents.ts';

/** An agent that comes with the service: configured like any other, but the same for everybody. */
export interface BuiltinAgent {
  agentId: BuiltinAgentId;
  name: string;
  description: string;
  /** `internal` agents work for others; no list shows them. */
  metadata: { type: 'system'; category: string; internal?: true };
  behavior: AgentBehavior;
}

export const BUILTIN_MANAGER = 'redpen';

/** Every built-in agent looks at a page, so a run of it needs one. */
export const needsUrl = { inputRequirements: { requires: ['url'] } };

/** What all reviewers of prose are told, so that their findings can be pinned to the words they are about. */
export const quoteExactly = `For each problem give one finding.
Quote the words it is about exactly as the page has them in targetText, with no more around them than is needed to recognise the place, and say in occurrence which appearance of these words on the page is meant.
Put the corrected words alone into suggestion.
Give as confidence how sure you are, from 0 to 100, that a careful editor would agree. Report nothing that you would not correct yourself. When the page has no problem, answer with no findings.`;
