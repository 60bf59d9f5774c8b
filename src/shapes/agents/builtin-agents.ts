/** Version of all built-in agents in results and findings. */
export const BUILTIN_VERSION = 1;

/** Ids and names of the agents that every API key has; `review/agents/builtin` defines what they do. */
export const BUILTIN_AGENTS = [
  { agentId: 'spell-check', name: 'Spell check' },
  { agentId: 'grammar-check', name: 'Grammar check' },
  { agentId: 'broken-links', name: 'Broken links' },
  { agentId: 'pii-detection', name: 'Personal data' },
  { agentId: 'profanity-filter', name: 'Profanity filter' },
  { agentId: 'sensitive-data', name: 'Sensitive data' },
  { agentId: 'lighthouse', name: 'Page audit' },
  { agentId: 'accessibility-checker', name: 'Accessibility checker' },
  { agentId: 'og-image-checker', name: 'Preview image checker' },
  { agentId: 'lorem-ipsum', name: 'Placeholder text' },
  { agentId: 'screenshot', name: 'Screenshot' },
  { agentId: 'crawler', name: 'Crawler' },
  { agentId: 'docs-code-comparison', name: 'Code against documentation' },
] as const;

export type BuiltinAgentId = (typeof BUILTIN_AGENTS)[number]['agentId'];

export const BUILTIN_AGENT_IDS: readonly BuiltinAgentId[] = BUILTIN_AGENTS.map(({ agentId }) => agentId);

const nameById = new Map<string, string>(BUILTIN_AGENTS.map(({ agentId, name }) => [agentId, name]));

/** Undefined for ids that belong to no built-in agent. */
export const nameOfBuiltin = (agentId: string): string | undefined => nameById.get(agentId);
