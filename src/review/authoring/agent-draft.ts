import type { Skipped } from '../../lib/checklist/checklist-item.ts';
import type { Fields } from '../../lib/json.ts';

export const MAX_AGENTS = 50;

/** Input of the operation that creates an agent. */
export type AgentDraft = Fields & { name: string };

/** Agents made from a file, before they are validated. */
export interface UncheckedExtraction {
  agents: { make(): AgentDraft; original: string }[];
  skipped: Skipped[];
  /** Model or rule that made the agents, as a sentence. */
  by: string;
}

export interface Extraction {
  agents: AgentDraft[];
  summary: string;
  skipped: Skipped[];
}
