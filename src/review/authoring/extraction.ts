import type { Skipped } from '../../lib/checklist/checklist-item.ts';

export const MAX_AGENTS = 50;

/** An agent as create takes it. */
export type AgentDraft = Record<string, unknown> & { name: string };

/** What is made of a file before it is checked. */
export interface Made {
  agents: { make(): AgentDraft; original: string }[];
  skipped: Skipped[];
  /** Who made it, as a sentence. */
  by: string;
}

/** What is answered. */
export interface Extraction {
  agents: AgentDraft[];
  summary: string;
  skipped: Skipped[];
}
